# Part of WarpSan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bash, zsh and fish offer when the tab key is pressed."""

import os
import pty
import re
import select
import shlex
import subprocess
import time
import unittest

from installed import Installed, run

CHOICES = {
    "launch": ["native", "twin"],
    "checks": ["all", "audit", "auto", "none"],
    "races": ["off", "on"],
    "scheme": ["canaries", "cusafe", "gpushield", "gpushield-static", "lmi", "lmi-live", "no-fat", "trace", "warpsan"],
    "canaries": ["all", "none", "on_demand"],
    "on_error": ["continue", "halt", "trap"],
    "verbosity": ["0", "1", "2"],
    "require_coverage": ["0", "1"],
}


class Shell:
    """What every shell must offer. `offered(line)`: what the tab key gives."""

    def options(self):
        help_text = run(os.path.join(self.prefix, "bin/warpsan"), "run", "--help").stdout
        return re.findall(r"^  --(\w+)=", help_text, re.M)

    def test_commands(self):
        self.assertLessEqual({"run", "doctor", "explain", "report"}, set(self.offered("warpsan ")))
        self.assertEqual(self.offered("warpsan do"), ["doctor"])

    def test_option_by_its_beginning(self):
        self.assertEqual(sorted(self.offered("warpsan run --ch")), ["--check_buffer_flags=", "--checks="])
        self.assertEqual(self.offered("warpsan run --findings"), ["--findings_file="])

    def test_every_option(self):
        self.assertLessEqual({f"--{name}=" for name in self.options()}, set(self.offered("warpsan run --")))

    def test_values(self):
        for name, values in CHOICES.items():
            self.assertEqual(sorted(self.offered(f"warpsan run --{name}=")), values, name)
        self.assertEqual(self.offered("warpsan run --checks=aut"), ["auto"])
        self.assertEqual(self.offered("warpsan run --launch=native --checks=aut"), ["auto"])

    def test_files_as_values(self):
        self.assertEqual(self.offered("warpsan run --summary_file=a_fi"), ["a_file"])
        self.assertEqual([name.rstrip("/") for name in self.offered("warpsan run --cache_dir=a_")], ["a_folder"])

    def test_the_program(self):
        self.assertIn("a_file", self.offered("warpsan run -- cat a_"))
        self.assertIn("a_file", self.offered("warpsan run --checks=all cat a_"))
        self.assertIn("readlink", self.offered("warpsan run --checks=all -- readlin"))
        self.assertIn("readlink", self.offered("warpsan run readlin"))
        self.assertNotIn("--checks=", self.offered("warpsan run -- cat --ch"))

    def test_other_commands(self):
        self.assertEqual(sorted(self.offered("warpsan report --format ")), ["html", "json", "junit", "sarif", "text"])
        self.assertEqual(self.offered("warpsan explain --device po"), ["pocl"])
        self.assertIn("a_file", self.offered("warpsan explain a_"))
        self.assertEqual(self.offered("warpsan explain --kern"), ["--kernel"])


class Place(Installed):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place = os.path.join(cls.folder, "place")
        os.makedirs(os.path.join(cls.place, "a_folder"))
        open(os.path.join(cls.place, "a_file"), "w").close()


class Choices(Place):
    def test_the_command_takes_what_is_offered(self):
        for name, values in CHOICES.items():
            for value in values:
                result = run(os.path.join(self.prefix, "bin/warpsan"), "run", f"--{name}={value}", "--verbosity=0", "true")
                # Not 64, a wrong option; 67 is require_coverage with no kernel.
                self.assertIn(result.returncode, (0, 67), result.stderr)


class Bash(Place, Shell):
    # As readline does: the function's answers, or names of files if it has none.
    SCRIPT = """
source "$1"; shift
compopt() { :; }
complete -p warpsan | grep -q -e '-o default' || exit 3
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_warpsan
if ((${#COMPREPLY[@]})); then printf '%s\\n' "${COMPREPLY[@]}"; else compgen -f -- "${!#}"; fi
"""

    def offered(self, line):
        # Bash makes words of its own of '='.
        words = [word for word in re.split(r"\s+|(=)", line) if word]
        if line[-1] in " ":
            words.append("")
        path = os.path.join(self.prefix, "share/bash-completion/completions/warpsan")
        result = run("bash", "-c", self.SCRIPT, "bash", path, *words, cwd=self.place)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()


class Fish(Place, Shell):
    def offered(self, line):
        env = dict(os.environ, HOME=self.folder, XDG_DATA_DIRS=os.path.join(self.prefix, "share") + ":/usr/share")
        result = run("fish", "--no-config", "-c",
                     f"source {self.prefix}/share/fish/vendor_completions.d/warpsan.fish; complete -C {shlex.quote(line)}",
                     cwd=self.place, env=env)
        self.assertEqual(result.stderr, "")
        # Values come with the word that they end.
        prefix = line.split(" ")[-1].rpartition("=")[0] + "="
        # It also names those that have the same letters somewhere; a menu shows them last.
        rows = [row.split("\t")[0] for row in result.stdout.splitlines()]
        rows = [row for row in rows if row.startswith(line.split(" ")[-1])]
        return [row.removeprefix(prefix) if prefix != "=" else row for row in rows]


class Zsh(Place, Shell):
    """In a terminal: zsh completes nowhere else. `compadd` is watched."""

    START = """
unsetopt prompt_cr prompt_sp
PS1='ready> '
fpath=({functions} $fpath)
autoload -Uz compinit && compinit -u -d {folder}/dump
zstyle ':completion:*' verbose no
zstyle ':completion:*' group-name ''
# Keeps what is offered, and offers it.
compadd() {{
  if [[ ${{@[(I)-[OAD]]}} -gt 0 ]]; then builtin compadd "$@"; return; fi
  local -a kept
  builtin compadd -A kept "$@"
  local suffix=
  [[ -n ${{(M)@:#-*S=}} ]] && suffix='='
  print -rl -- ${{^kept}}$suffix >> {folder}/offered
  builtin compadd "$@"
}}
offer() {{ : > {folder}/offered; zle complete-word; print done >> {folder}/ended; BUFFER= }}
zle -N offer
bindkey '^T' offer
"""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        functions = os.path.join(cls.prefix, "share/zsh/site-functions")
        with open(os.path.join(cls.folder, ".zshrc"), "w", encoding="utf-8") as file:
            file.write(cls.START.format(functions=functions, folder=cls.folder))
        # Its file names it to compinit; and it must be right by itself.
        checked = run("zsh", "-n", os.path.join(functions, "_warpsan"))
        assert checked.returncode == 0 and not checked.stderr, checked.stderr
        cls.terminal, theirs = pty.openpty()
        cls.zsh = subprocess.Popen(["zsh", "-i"], stdin=theirs, stdout=theirs, stderr=theirs,
                                   cwd=cls.place, start_new_session=True,
                                   env={"PATH": "/usr/bin:/bin", "TERM": "dumb", "ZDOTDIR": cls.folder, "HOME": cls.folder})
        os.close(theirs)
        cls.addClassCleanup(cls.zsh.wait)
        cls.addClassCleanup(cls.zsh.kill)
        cls.read_until("ready> ")

    @classmethod
    def read_until(cls, text, seconds=30):
        seen, end = "", time.monotonic() + seconds
        while text not in seen:
            ready, _, _ = select.select([cls.terminal], [], [], max(0, end - time.monotonic()))
            assert ready, f"zsh said only {seen!r}"
            seen += os.read(cls.terminal, 4096).decode(errors="replace")
        return seen

    def offered(self, line):
        ended = os.path.join(self.folder, "ended")
        if os.path.exists(ended):
            os.remove(ended)
        os.write(self.terminal, line.encode() + b"\x14")
        end = time.monotonic() + 20
        while not os.path.exists(ended):
            self.assertLess(time.monotonic(), end, "zsh did not answer")
            ready, _, _ = select.select([self.terminal], [], [], 0.02)
            if ready:
                os.read(self.terminal, 65536)
        with open(os.path.join(self.folder, "offered"), encoding="utf-8") as file:
            found = sorted({row for row in file.read().split("\n") if row})
        return found


if __name__ == "__main__":
    unittest.main(verbosity=2)
