"""The first steps in Ur."""

from __future__ import annotations

from astragal.core.language import noted
from astragal.core.lesson import Lesson, Task
from astragal.games.ur.options import Options

LESSON = Lesson(
    options=Options(begins=0),
    tasks=(
        Task(
            text=noted(
                "You play Light. Seven pieces wait to enter; whoever brings all seven round the "
                "board first wins. Your way begins in your own row, goes along the middle, which both sides share, and "
                "ends in your row again."
            ),
        ),
        Task(
            text=noted(
                "You throw four dice; each marked tip that lands on top counts one. You have thrown 2. Bring a new "
                "piece onto the board: touch the waiting pieces."
            ),
            before=("throw-2",),
            want=("in-a3",),
            why=noted("A piece enters as many squares along your way as you have thrown."),
            otherwise=noted("Your pieces wait beside the board. Touch them."),
        ),
        Task(
            text=noted(
                "Dark has entered too. You have thrown 2 again, and two squares on from your piece lies a rosette. Go "
                "there: touch your piece."
            ),
            before=("throw-1", "in-c4", "throw-2"),
            want=("a3-a1",),
            why=noted("A rosette gives you another throw, and a piece that stands on one cannot be taken."),
            otherwise=noted("That is allowed too, but look for the rosette: two squares on from your piece."),
        ),
        Task(
            text=noted("Your extra throw is 4. From the rosette that leads into the middle row. Go there."),
            before=("throw-4",),
            want=("a1-b4",),
            why=noted(
                "Four squares on lies the rosette in the middle. It is the best square of the board: yours to keep as "
                "long as you like, in the very row where Dark must pass."
            ),
            otherwise=noted(
                "That is allowed too, but your piece on the rosette can reach the other one, in the middle row."
            ),
        ),
        Task(
            text=noted(
                "You throw 1 and could leave the rosette. But a new piece is safe in your own row, where Dark never "
                "comes. Bring one in."
            ),
            before=("throw-1",),
            want=("in-a4",),
            why=noted("Your piece in the middle stays safe, and blocks the rosette for Dark."),
            otherwise=noted(
                "That is allowed too, but this time bring in a new piece, and leave the other where it is safe."
            ),
        ),
        Task(
            text=noted(
                "Dark has come out into the middle row, right behind your rosette, where your second piece can reach "
                "it. You have thrown 4. Take it: move there."
            ),
            before=("throw-4", "c4-b1", "throw-4"),
            want=("a4-b1",),
            why=noted(
                "A piece that is taken goes back to those that wait and must start all over. In the middle row every "
                "square but the rosette is dangerous, for you as well."
            ),
            otherwise=noted(
                "That is allowed too, but first take the dark piece: your piece in its own row reaches it with 4."
            ),
        ),
        Task(
            text=noted(
                "Sometimes the dice show nothing at all; then the turn passes. At the end of the way a piece needs the "
                "exact throw to come home. That is all. The rest is luck, and a little cunning."
            ),
            before=("throw-0", "pass"),
        ),
    ),
)
