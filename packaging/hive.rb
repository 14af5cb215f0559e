# The formula for Homebrew. "npm run release" fills in the address and the checksum of the package.
class Hive < Formula
  desc "Run several coding agents on one repository"
  homepage "https://github.com/hive-colony/hive"
  url "@url@"
  sha256 "@sha256@"
  license "MIT"

  depends_on "git"
  depends_on "node"
  uses_from_macos "perl"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("share/man/man1/*")
    generate_completions_from_executable(bin/"hive", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/hive --version")
  end
end
