"""The first steps in EGAR, on a plain small enough to march to the enemy's flag in a few turns."""

from __future__ import annotations

from astragal.core.language import noted
from astragal.core.lesson import Lesson, Task
from astragal.games.egar.board import Board
from astragal.games.egar.options import Options

PLAIN = Board(name="lesson", columns=7, rows=9, camp=("sss", "sFs", "sss"), two=("D2", "D8"))

LESSON = Lesson(
    options=Options(board=PLAIN, level="easy", begins=0),
    tasks=(
        Task(
            text=noted(
                "You lead the Military, below; above stand the Samurai. Each army guards a flag. Whoever steps onto "
                "the enemy's flag has won, and so has the last army on the board. This is a small plain to learn on."
            ),
        ),
        Task(
            text=noted(
                "A turn begins with a die: its points are steps, one square each, and you share them out among your "
                "soldiers. Never diagonally, and never through anybody. You have rolled 3. Take D3 two squares up, "
                "then E3 one."
            ),
            before=("roll-3",),
            want=("D3-D4", "D4-D5", "E3-E4"),
            why=noted("Two soldiers are on their way, side by side: you will see why that is good."),
            otherwise=noted("That is allowed too, but march towards the enemy: D3 to D4, on to D5, then E3 to E4."),
        ),
        Task(
            text=noted(
                "Every turn ends with a question to the next player. The Samurai knew the answer, so nothing happened. "
                "A wrong answer would have cost them a soldier: the one nearest to their flag."
            ),
            before=("card-3", "order-2314", "C"),
        ),
        Task(
            text=noted("The Samurai have come close, and now it is they who ask. Pick the right answer."),
            before=("roll-2", "D7-D6", "done", "card-1", "order-2134"),
            want=("B",),
            quiz=True,
            why=noted("Right, and nobody has to leave. Afterwards everybody sees the answer, with a note."),
            otherwise=noted(
                "A wrong answer would cost you the soldier that stands nearest to your flag. Think of Troy: four legs, "
                "and a mane."
            ),
        ),
        Task(
            text=noted(
                "The enemy on D6 stands in your way. One soldier alone would win an attack with 50 %. Bring a second "
                "one beside it: E4 up to E5 and E6."
            ),
            before=("roll-4",),
            want=("E4-E5", "E5-E6"),
            why=noted("Now two of yours stand next to D6. The board shows the odds of every attack: 69 % here."),
            otherwise=noted(
                "That is allowed too, but first bring your second soldier beside D6: from E4 to E5, then to E6."
            ),
        ),
        Task(
            text=noted(
                "All your soldiers next to an enemy attack it together, each with a die; your best one counts against "
                "the die of the enemy. If you lose, the soldier you put at risk leaves the board. Attack D6, and put "
                "D5 at risk: touch one, then the other."
            ),
            want=("attack D6 with D5",),
            then=("roll-4", "roll-1-4", "roll-1-3"),
            why=noted(
                "4 against less: the enemy has left the board. With equal dice all would have rolled again. After the "
                "first attack of a turn nobody moves any more."
            ),
            otherwise=noted("That is allowed too, but attack D6 with both your soldiers, with D5 at risk."),
        ),
        Task(
            text=noted(
                "You could attack E7 as well, as often as you like, but one against one is 50 %, and E6 would be at "
                "risk. Leave it at that: end your attacks."
            ),
            want=("done",),
            then=("card-79", "order-1234", "B"),
            why=noted("Your turn goes on to the question, and this time the Samurai do not know."),
            otherwise=noted(
                "You may, but a soldier of yours would leave as likely as theirs. End your attacks instead."
            ),
        ),
        Task(
            text=noted(
                "A wrong answer costs the soldier nearest to its own flag. Three stand equally near, so you pick. Take "
                "the one on E8."
            ),
            want=("take E8",),
            why=noted("One guard less. And D7, the way to the flag, is open."),
            otherwise=noted("Any of the three may go, but for this lesson take E8."),
        ),
        Task(
            text=noted(
                "The Samurai attacked E6 with one soldier and lost it. Then they asked you. Pick the right answer."
            ),
            before=("roll-1", "C7-C6", "attack E6 with E7", "roll-2", "roll-3-6", "card-33", "order-2341"),
            want=("D",),
            quiz=True,
            why=noted("Right again. Questions can be easy, medium or hard; you agree on that before the game."),
            otherwise=noted(
                "A wrong answer would cost you the soldier nearest to your flag. Which game has knights, rooks and "
                "pawns?"
            ),
        ),
        Task(
            text=noted(
                "You have rolled 4, and the flag on D8 is three steps from D5. No exact roll is needed. Go: D6, D7, D8."
            ),
            before=("roll-4",),
            want=("D5-D6", "D6-D7", "D7-D8"),
            why=noted("Your soldier stands on the enemy's flag: the game is won at once."),
            otherwise=noted("That is allowed too, but the flag is open: D5 to D6, D7 and D8."),
        ),
        Task(
            text=noted(
                "That is the whole game: move, attack, ask. Keep some soldiers at home, for your own flag can be taken "
                "too, attack with two or three rather than with one, and read the notes on the cards. Now lead an army "
                "yourself."
            ),
        ),
    ),
)
