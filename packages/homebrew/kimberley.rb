# OWNER and SHA256 are filled in for a release (packages/README.md).
class Kimberley < Formula
  include Language::Python::Virtualenv

  desc "Diamond games to play with friends, without a server"
  homepage "https://github.com/OWNER/kimberley"
  url "https://github.com/OWNER/kimberley/releases/download/v1.0.0/kimberley-1.0.0.tar.gz"
  sha256 "SHA256"
  license "MIT"

  depends_on "cryptography"
  depends_on "libsodium"
  depends_on "numpy"
  depends_on "python@3.13"

  def install
    virtualenv_install_with_resources
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kimberley --version")
    system bin/"kimberley", "demo", "diamond", "--seed", "1"
  end
end
