"""Turns Ctrl-C and SIGTERM into an exception that reaches the command line, wherever they come."""

from __future__ import annotations

import _thread
import signal
import threading
from types import FrameType, TracebackType

__all__ = ["Interruption", "Listening"]

_AGAIN = 0.05  # seconds until a signal that was swallowed is raised once more


class Interruption(BaseException):
    """Ctrl-C or SIGTERM, as something that the command library does not swallow.

    Python drops what is raised where nobody can catch it: in a callback of the garbage
    collector, in a finalizer, in a lookup that C code takes for a miss. The exception dies
    there, unseen, and the run would go on as if nobody had asked it to stop; so one that
    dies while the command still runs is raised again.

    Attributes:
        signum: of the signal.
    """

    def __init__(self, signum: int, listening: Listening) -> None:
        super().__init__(signum)
        self.signum = signum
        self._listening = listening
        listening.under_way += 1

    def __del__(self) -> None:
        self._listening.under_way -= 1
        if self._listening.on and not self._listening.under_way:
            timer = threading.Timer(_AGAIN, _raise, (self.signum,))
            timer.daemon = True
            timer.start()


def _raise(signum: int) -> None:
    """Send the main thread a signal, so that what it waits for ends, too."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signum)
    else:
        _thread.interrupt_main(signal.Signals(signum))


class Listening:
    """A block in which SIGINT and SIGTERM raise an `Interruption` in the main thread.

    A SIGTERM does not break the cleaning up after an earlier signal; a second Ctrl-C does.

    Attributes:
        on: while the block runs.
        under_way: interruptions raised and not yet gone.
    """

    def __init__(self) -> None:
        self.on = False
        self.under_way = 0

    def __enter__(self) -> Listening:
        self.on = True
        signal.signal(signal.SIGINT, self._interrupt)
        signal.signal(signal.SIGTERM, self._interrupt)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.on = False

    def _interrupt(self, signum: int, frame: FrameType | None) -> None:
        if signum == signal.SIGTERM and (self.under_way or not self.on):
            return
        raise Interruption(signum, self)
