"""What a rerun found, as data."""

from dataclasses import dataclass

from benchproof.errors import ExitCode
from benchproof.records.run import ModelIdentity


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The largest difference of a likelihood, in nat, that still agrees; ``why`` says where it comes from."""

    nat: float
    why: str


@dataclass(frozen=True, slots=True)
class ItemRerun:
    """One item asked again.

    ``differences``: absolute differences of the candidates' log-probabilities in nat, in the item's order (empty for a
    text). ``recorded`` and ``now`` are the chosen candidates' indexes, or the two texts. ``failure`` is why there is no
    answer this time.
    """

    axis_key: str
    item_id: str
    differences: tuple[float, ...]
    recorded: int | str
    now: int | str | None
    failure: str | None = None

    @property
    def is_text(self) -> bool:
        """Whether the item's answer is a generated text."""
        return isinstance(self.recorded, str)

    @property
    def flipped(self) -> bool:
        """Whether another candidate is chosen now, or another text said."""
        return self.failure is None and self.now != self.recorded

    def agrees(self, tolerance: float) -> bool:
        """Likelihoods within the tolerance, a text equal; a failure never agrees."""
        if self.failure is not None:
            return False
        if self.is_text:
            return not self.flipped
        return all(difference <= tolerance for difference in self.differences)


@dataclass(frozen=True, slots=True)
class AxisRerun:
    """One axis of a rerun; ``largest`` and ``median`` are of the likelihoods' absolute differences (nat)."""

    axis_key: str
    asked: int
    failed: int
    likelihoods: int
    largest: float | None
    median: float | None
    flips: int
    texts: int
    texts_equal: int


@dataclass(frozen=True, slots=True)
class Rerun:
    """The outcome of asking again. ``differences`` lists the items that disagree or flipped.

    ``answered`` items of the run could be asked; ``asked`` were. ``same_model`` False: the outcome is no proof about
    the run's model, whatever it says.
    """

    run_id: str
    run_sha256: str
    model: ModelIdentity
    same_model: bool
    answered: int
    asked: int
    sample: int | None
    seed: int
    tolerance: Tolerance
    axes: tuple[AxisRerun, ...]
    differences: tuple[ItemRerun, ...]
    agrees: bool

    @property
    def exit_code(self) -> ExitCode:
        """0 where all agree, 1 where an answer differs, 4 where nothing differs but something gave no answer."""
        if self.agrees:
            return ExitCode.YES
        differs = any(one.failure is None and not one.agrees(self.tolerance.nat) for one in self.differences)
        return ExitCode.NO if differs else ExitCode.CANNOT_TELL
