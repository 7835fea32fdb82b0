// Sounds of our own, made from oscillators and noise: wood, shell and clay.
import type { Sound } from "../boards/board";
import { settings } from "./settings.svelte";

let context: AudioContext | null = null;
let outlet: GainNode | null = null; // everything goes through it, as loud as was set

/** Browsers let a page sound only after it was touched. */
export function play(sound: Sound | null): void {
  if (!sound || !settings.kept.sound || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (!outlet) {
    outlet = context.createGain();
    outlet.connect(context.destination);
  }
  outlet.gain.value = 1.4 * settings.kept.volume;
  void context.resume();
  SOUNDS[sound](context, context.currentTime + 0.01);
}

type Maker = (audio: AudioContext, at: number) => void;

const SOUNDS: Record<Sound, Maker> = {
  throw: (audio, at) => [0, 0.07, 0.12, 0.21].forEach((later, n) => knock(audio, at + later, 900 + 160 * n, 0.05, 0.16)),
  move: (audio, at) => knock(audio, at, 420, 0.09, 0.3),
  take: (audio, at) => {
    knock(audio, at, 300, 0.12, 0.35);
    knock(audio, at + 0.11, 190, 0.2, 0.3);
  },
  bonus: (audio, at) => [523.25, 659.25, 783.99].forEach((hertz, n) => tone(audio, at + 0.08 * n, hertz, 0.35, 0.08)),
  question: (audio, at) => [392, 523.25].forEach((hertz, n) => tone(audio, at + 0.14 * n, hertz, 0.4, 0.08)),
  right: (audio, at) => [587.33, 880].forEach((hertz, n) => tone(audio, at + 0.1 * n, hertz, 0.4, 0.08)),
  wrong: (audio, at) => [311.13, 233.08].forEach((hertz, n) => tone(audio, at + 0.14 * n, hertz, 0.4, 0.09)),
  win: (audio, at) => [392, 493.88, 587.33, 783.99].forEach((hertz, n) => tone(audio, at + 0.13 * n, hertz, 0.7, 0.09)),
  lose: (audio, at) => [392, 349.23, 293.66].forEach((hertz, n) => tone(audio, at + 0.2 * n, hertz, 0.6, 0.07)),
  turn: (audio, at) => [659.25, 880].forEach((hertz, n) => tone(audio, at + 0.12 * n, hertz, 0.5, 0.09)),
  pass: (audio, at) => knock(audio, at, 140, 0.15, 0.2),
};

function fading(audio: AudioContext, at: number, length: number, loud: number): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  gain.connect(outlet ?? audio.destination);
  return gain;
}

function tone(audio: AudioContext, at: number, hertz: number, length: number, loud: number): void {
  for (const [part, share] of [[1, 1], [2.01, 0.35], [3.02, 0.12]] as const) {
    const voice = audio.createOscillator();
    voice.frequency.value = hertz * part;
    voice.connect(fading(audio, at, length / part, loud * share));
    voice.start(at);
    voice.stop(at + length);
  }
}

/** Something hard on wood: a short burst of noise through a narrow filter. */
function knock(audio: AudioContext, at: number, hertz: number, length: number, loud: number): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n += 1) samples[n] = (Math.random() * 2 - 1) * (1 - n / samples.length) ** 3;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = hertz;
  filter.Q.value = 6;
  source.connect(filter).connect(fading(audio, at, length, loud * 4));
  source.start(at);
}
