"""A match on the screen that is kept in a file while it is played."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from astragal.core import recordfile
from astragal.core.language import say
from astragal.core.record import Record, is_bot
from astragal.core.types import AstragalError
from astragal.play.match import Match
from astragal.terminal import kept
from astragal.terminal.display import Display

if TYPE_CHECKING:
    from filelock import FileLock


class KeptDisplay(Display):
    """Writes the match after every step, and knows what is the player's own file and what only a safeguard."""

    file: Path | None  # where the match is kept
    _lock: FileLock | None = None  # on that file
    _saved: Record | None  # as the player saved it last, or took it up

    def sit(self, match: Match) -> None:
        super().sit(match)
        self.release()
        self.file = None
        self._saved = None
        self._unkept = False  # whether the player knows that the match cannot be kept

    def take_up(self, file: Path) -> None:
        """Goes on in the file from which the match was read. Raises AstragalError."""
        self._hold(file)
        self._saved = self.match.record(keep_seed=True)

    def _hold(self, file: Path) -> None:
        """Plays on in this file, and nobody else does meanwhile. Raises AstragalError."""
        if self._lock is None or file != self.file or not self._lock.is_locked:
            held = kept.hold(file)
            self.release()
            self._lock = held
        self.file = file

    def release(self) -> None:
        """Lets others play on in the file."""
        if self._lock is not None:
            self._lock.release()
        self._lock = None

    def default_file(self) -> Path:
        """Where the match is kept already, or a name that is still free."""
        return self.file or kept.free_file(f"{self.match.game.id}-{self.match.id}")

    def has_humans(self) -> bool:
        """Whether a human plays, or played before bots took over."""
        began = self.match.record().header.seats
        return not all(map(is_bot, (*began, *self.match.seats)))

    def keep(self) -> None:
        """Writes the match as it is now to its file, so that nothing is lost if the program is killed.

        A match that cannot be kept goes on, and the player is told once. Matches among bots are not kept.
        """
        if not self.has_humans():
            return
        try:
            file = self.default_file()
            if self.file is None:
                recordfile.check_free(file, make_folder=True)
            self._hold(file)
            self.match.save(file)
            kept.note(file)
        except AstragalError as error:
            if not self._unkept:
                lang = self.screen.lang
                self.screen.tell(say("This match is not kept while you play: {reason}", reason=error.to(lang)).to(lang))
            self._unkept = True

    def save(self, file: Path) -> None:
        """Writes the match; never over a file it did not write itself."""
        if file.parts[:1] == ("~",):
            file = file.expanduser()
        if file != self.file:
            recordfile.check_target(file, make_folder=True)
        self.match.save(file)
        if file != self.file:
            self.forget()
        self._hold(file)
        self._saved = self.match.record(keep_seed=True)
        if self.match.over:
            self.screen.faint(
                say("The record is kept; see it with: astragal replay {file}", file=shlex.quote(str(file)))
            )
        else:
            self.screen.write(say("Saved. Go on with: astragal resume {file}", file=shlex.quote(str(file))))

    def forget(self) -> None:
        """Makes the file what it was when the player saved it last, or removes it if that never was."""
        if self.file is not None and self._saved is not None:
            recordfile.write(self._saved, self.file)
        elif self.file is not None:
            self.file.unlink(missing_ok=True)
