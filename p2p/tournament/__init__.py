"""Tournaments: the referee, a peer without a seat, pairs, keeps clocks, rules and signs each result; players follow
it.
"""
