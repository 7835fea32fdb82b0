// Ur (preset finkel) on boardgame.io, with its default storage, for `make bench-server` only.
// The dice come with the moves, because the benchmark repeats matches that were played on our own server.
// (package.json holds koa-compose at 4.1: with 4.2 boardgame.io 0.50.2 finds none of its own HTTP routes.)
const { Server, Origins } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const HOME = 15; // steps of each side's way; both share steps 5 to 12
const ROSETTES = [4, 8, 14];

const shared = (step) => step >= 5 && step <= 12;

function starts(G) {
  if (G.thrown === 0) return [];
  const mine = G.on[G.seat], theirs = G.on[1 - G.seat];
  return [...(G.pools[G.seat] ? [0] : []), ...mine].filter((step) => {
    const target = step + G.thrown;
    return target <= HOME && !mine.includes(target) && !(target === 8 && theirs.includes(8));
  });
}

// Throws in turn, passing where nothing can move, until somebody has a choice.
function throwOn(G, throws) {
  for (const thrown of throws) {
    G.thrown = thrown;
    G.legal = starts(G);
    if (G.legal.length) return;
    G.seat = 1 - G.seat;
  }
}

function play({ G, playerID, events }, step, throws) {
  if (String(G.seat) !== playerID || !G.legal.includes(step)) return INVALID_MOVE;
  const me = G.seat, target = step + G.thrown;
  if (step) G.on[me] = G.on[me].filter((other) => other !== step);
  else G.pools[me] -= 1;
  if (target < HOME) G.on[me].push(target);
  if (shared(target) && G.on[1 - me].includes(target)) {
    G.on[1 - me] = G.on[1 - me].filter((other) => other !== target);
    G.pools[1 - me] += 1;
  }
  G.legal = [];
  if (!G.pools[me] && !G.on[me].length) {
    G.winner = me;
    return;
  }
  if (!ROSETTES.includes(target)) G.seat = 1 - me;
  throwOn(G, throws);
  if (G.seat !== me) events.endTurn();
}

const ur = {
  name: "ur",
  minPlayers: 2,
  maxPlayers: 2,
  setup: (_, { throws }) => {
    const G = { on: [[], []], pools: [7, 7], seat: 0, thrown: 0, legal: [], winner: null };
    throwOn(G, throws);
    return G;
  },
  turn: { order: { first: ({ G }) => G.seat, next: ({ G }) => G.seat } },
  moves: { play },
  endIf: ({ G }) => (G.winner === null ? undefined : { winner: G.winner }),
};

const server = Server({ games: [ur], origins: [Origins.LOCALHOST] });
const listen = server.app.listen.bind(server.app);
server.app.listen = (port, done) => listen(port, "127.0.0.1", done); // it would listen to the whole network
server.run(Number(process.argv[2]));
