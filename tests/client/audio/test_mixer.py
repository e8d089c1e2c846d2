"""The mixer: volumes without a jump, sounds over music, and nothing too loud."""

from __future__ import annotations

import numpy as np

from kimberley.client.audio.audio_format import CHANNELS, RATE, Block
from kimberley.client.audio.effects import samples_of
from kimberley.client.audio.mixer import CEILING, FADE_SECONDS, Mixer, limited
from kimberley.client.audio.sound import Sound

FADE = int(FADE_SECONDS * RATE)


class Steady:
    """Music of one level."""

    def __init__(self, level: float = 0.5) -> None:
        self.level, self.taken = level, 0

    def take(self, frames: int) -> Block:
        self.taken += frames
        return np.full((frames, CHANNELS), self.level, np.float32)


class Nothing(Steady):
    def __init__(self) -> None:
        super().__init__(0.0)


def opened(mixer: Mixer) -> Mixer:
    """Returns the mixer, once its volumes have been reached."""
    mixer.block(FADE + 1)
    return mixer


def test_volumes_move_without_a_jump_and_arrive() -> None:
    mixer = Mixer(Steady(0.5))
    begun = mixer.block(2 * FADE)
    mixer.set_volumes(0.2, 1.0)
    turned = np.concatenate([mixer.block(100) for _ in range(80)])
    whole = np.concatenate([begun, turned])
    assert whole[0, 0] == 0
    assert np.allclose(begun[-1], 0.5)
    assert np.allclose(turned[-1], 0.1)
    assert np.abs(np.diff(whole, axis=0)).max() <= 0.5 / FADE * 1.1


def test_music_without_a_volume_stands_still() -> None:
    music = Steady()
    mixer = opened(Mixer(music))
    mixer.set_volumes(0.0, 1.0)
    mixer.block(2 * FADE)
    taken = music.taken
    assert not mixer.block(4096).any()
    assert music.taken == taken


def test_a_sound_is_heard_once_over_the_music_at_its_own_volume() -> None:
    mixer = opened(Mixer(Nothing()))
    mixer.set_volumes(0.0, 0.5)
    mixer.block(2 * FADE)
    mixer.play(Sound.COIN)
    coin = samples_of(Sound.COIN)
    played = np.concatenate([mixer.block(777) for _ in range(len(coin) // 777 + 2)])
    assert np.allclose(played[: len(coin)], coin * 0.5, atol=1e-6)
    assert not played[len(coin) :].any()


def test_many_sounds_at_once_never_reach_the_most_that_a_device_plays() -> None:
    mixer = opened(Mixer(Steady(0.8)))
    for _ in range(50):
        mixer.play(Sound.STAMP)
    assert np.abs(mixer.block(8192)).max() <= CEILING


def test_what_is_not_loud_is_not_changed() -> None:
    block = np.linspace(-0.85, 0.85, 200, dtype=np.float32).reshape(100, CHANNELS)
    assert np.array_equal(limited(block), block)
    loud = np.linspace(-5, 5, 2000, dtype=np.float32).reshape(1000, CHANNELS)
    bent = limited(loud)
    assert np.abs(bent).max() <= CEILING
    assert (np.diff(bent, axis=0) >= 0).all()
