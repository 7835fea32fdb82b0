"""The first steps in Heaven and Earth: from the Entrance to the fourth fortress."""

from __future__ import annotations

from astragal.core.language import noted
from astragal.core.lesson import Lesson, Task
from astragal.games.ur_modern.options import Options

LESSON = Lesson(
    options=Options(begins=0, layout="royal"),
    tasks=(
        Task(
            text=noted(
                "You play Light. This is no race: your pieces go forwards and backwards as they like. Four squares are "
                "fortresses, two on the Earth and two in Heaven, beyond the Bridge. Whoever holds all four at the same "
                "moment has won."
            ),
        ),
        Task(
            text=noted(
                "You throw two dice. Each shows a blank tip, a golden one or one of silver. With every throw, whatever "
                "it shows, you may set a new piece on the Entrance, the square with the gate. Touch your pool."
            ),
            before=("throw-one",),
            want=("+b1",),
            why=noted(
                "Your only piece cannot be taken as long as it stands on your Entrance. That is a safe beginning."
            ),
            otherwise=noted("Your pool is the row of pieces at the edge of the board. Touch it."),
        ),
        Task(
            text=noted(
                "Dark had nothing to do and passed: your piece holds the Entrance. You have thrown one coloured tip: "
                "move a piece 1 square. Go to the fortress on a1."
            ),
            before=("throw-blank", "pass", "throw-one"),
            want=("b1-a1",),
            why=noted("A piece that moves onto a fortress and stops there earns you another turn."),
            otherwise=noted(
                "That is allowed too, but go to the fortress on a1, the walled square beside your piece in your own "
                "row."
            ),
        ),
        Task(
            text=noted(
                "Here is your extra turn, and the dice show two blanks. Nothing moves now, but a new piece may appear "
                "on any empty square next to one of yours. Touch your pool, then a2."
            ),
            before=("throw-blank",),
            want=("+a2",),
            why=noted("Two blanks come one time in four. Pieces in the right places turn them into reinforcements."),
            otherwise=noted(
                "That is allowed too, but this time set the new piece on a2, beside your fortress, and leave the "
                "Entrance free."
            ),
        ),
        Task(
            text=noted(
                "Dark has come in. You have thrown gold and silver: move 2 squares in all, or set a new piece on one "
                "of the three squares of the Kingdom, those with a crown. Set one on b4."
            ),
            before=("throw-one", "+b1", "throw-mixed"),
            want=("+b4",),
            why=noted("It stands before the Bridge already. The rarer the throw, the farther ahead you may place."),
            otherwise=noted(
                "That is allowed too, but use the golden and the silver tip to place far ahead: on b4, in the middle "
                "of the Kingdom."
            ),
        ),
        Task(
            text=noted(
                "Dark has set a piece on b2, right beside yours, and you have thrown one coloured tip. Enter its "
                "square: that takes it."
            ),
            before=("throw-blank", "+b2", "throw-one"),
            want=("a2-b2",),
            why=noted("A piece that is taken goes back to its owner's pool. The movement of the taker ends there."),
            otherwise=noted("That is allowed too, but take the dark piece on b2 with yours on a2."),
        ),
        Task(
            text=noted(
                "Dark has taken the fortress c1, had another turn, and has set a piece beside it. You have thrown two "
                "gold: one piece may go up to 2 squares, or two pieces 1 square each. Take c2 from b2, and with the "
                "rest go from b4 onto the Bridge."
            ),
            before=("throw-one", "b1-c1", "throw-blank", "+c2", "throw-gold"),
            want=("b2-c2+b4-b5",),
            why=noted(
                "Two moves in one turn: the fortress c1 has lost its helper, and your other piece is on its way to "
                "Heaven."
            ),
            otherwise=noted("That is allowed too, but make two moves: first b2 takes c2, then b4 goes to b5."),
        ),
        Task(
            text=noted(
                "Dark holds c1 and has come in again. A fortress alone protects nobody: with one coloured tip take c1."
            ),
            before=("throw-blank", "+b1", "throw-one"),
            want=("c2-c1",),
            why=noted(
                "You moved onto a fortress, so you have another turn. And you rule the Earth now, for you hold both "
                "its fortresses."
            ),
            otherwise=noted("That is allowed too, but take the fortress c1: your piece on c2 stands right beside it."),
        ),
        Task(
            text=noted(
                "Dark on b1 stands next to both your fortresses and could take one. But you have thrown two silver, "
                "and that lets you set a new piece on the Field of Ishtar, the great star in Heaven. Do that."
            ),
            before=("throw-silver",),
            want=("+b7",),
            why=noted(
                "As long as you have a piece on the Field of Ishtar, nobody can take your pieces on fortresses. They "
                "carry its star now."
            ),
            otherwise=noted(
                "That is allowed too, but Ishtar is worth more: set a new piece on b7, the square with the great star."
            ),
        ),
        Task(
            text=noted(
                "Dark has used gold and silver too and stands on b4. You have two blanks again: next to your piece on "
                "the Field of Ishtar lies a fortress of Heaven. Set a piece on a7."
            ),
            before=("throw-mixed", "+b4", "throw-blank"),
            want=("+a7",),
            why=noted(
                "Your third fortress. It was placed and not moved there, so there is no extra turn; but it counts."
            ),
            otherwise=noted(
                "That is allowed too, but set the piece on a7, a fortress next to your piece on the Field of Ishtar."
            ),
        ),
        Task(
            text=noted(
                "Dark has two pieces in a row, b4 and b3. Whoever rules the Earth may go on after taking: with gold "
                "and silver your piece on b5 takes b4 and then b3. Touch your piece, b4 and b3."
            ),
            before=("throw-blank", "+b3", "throw-mixed"),
            want=("b5xb4-b3",),
            why=noted(
                "Two pieces at one stroke. That is the power of the Earth. The power of Heaven, for who holds both "
                "fortresses there: with two gold or two silver a piece may go 3 squares."
            ),
            otherwise=noted(
                "That is allowed too, but your piece on b5 can do better: it takes b4, goes on and takes b3."
            ),
        ),
        Task(
            text=noted(
                "One fortress is missing: c7. Your piece on the Field of Ishtar stands right beside it. Who wins needs "
                "no protection any more. Go."
            ),
            before=("throw-one", "b1-b2", "throw-one"),
            want=("b7-c7",),
            why=noted("All four fortresses are yours at the same moment. You have won!"),
            otherwise=noted("That is allowed too, but look: from b7 it is one step to c7, the last fortress."),
        ),
        Task(
            text=noted(
                "Two more things. Who can do nothing passes, and who does the same thing five times in a row lets "
                "either side claim a draw. Now try it yourself: hold two fortresses, win Ishtar, and watch for the "
                "other side's."
            ),
        ),
    ),
)
