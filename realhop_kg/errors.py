"""The one tree of exceptions: a message says what is wrong, where, and what to do next."""

from __future__ import annotations

__all__ = [
    "BudgetError",
    "ContractError",
    "InputError",
    "OutputExistsError",
    "ProviderError",
    "RealHopError",
    "Refusal",
    "VerificationError",
]


class RealHopError(Exception):
    """Root of everything this package raises on purpose."""

    exit_code = 1


class InputError(RealHopError):
    """The input, or the way the command was called, cannot be used."""

    exit_code = 2


class OutputExistsError(InputError):
    """The output folder exists and was not to be replaced."""


class ProviderError(RealHopError):
    """Something outside this program failed; what was done is kept, so a later run goes on."""

    exit_code = 3


class BudgetError(ProviderError):
    """A limit on calls, cost or time was reached; what was done is kept."""


class VerificationError(RealHopError):
    """A frozen dataset does not match its own manifest or contracts."""


class ContractError(RealHopError):
    """An operator could not keep its contract; it returned no graph.

    Attributes:
        code: the contract (a `realhop_kg.model.finding.Code` value) that would break.
        nodes: ids of the graph nodes concerned.
    """

    def __init__(self, code: str, message: str, nodes: tuple[str, ...] = ()) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.nodes = nodes

    def __reduce__(self) -> tuple[type[ContractError], tuple[str, str, tuple[str, ...]]]:
        return type(self), (self.code, self.message, self.nodes)


class Refusal(ContractError):
    """The rule backend will not word this item; the item is excluded under `code`."""
