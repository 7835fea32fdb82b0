import { describe, expect, test } from "vitest";
import { Picker, type Way } from "../src/boards/parts/picker.svelte";

const way = (text: string, ...path: string[]): Way => ({ text, label: text, path });

function offered(ways: Way[], careful = false): [Picker, string[]] {
  const played: string[] = [];
  const picker = new Picker((text) => played.push(text), () => careful);
  picker.offer(ways);
  return [picker, played];
}

describe("choosing by touching places", () => {
  test("a piece with one move needs one tap", () => {
    const [picker, played] = offered([way("a-b", "a", "b"), way("c-d", "c", "d")]);
    picker.tap("a");
    expect(played).toEqual(["a-b"]);
  });

  test("a place says what a touch of it does, if that is one thing", () => {
    const [picker] = offered([way("a-b", "a", "b"), way("c-d", "c", "d"), way("c-e", "c", "e")], true);
    expect([picker.does("a"), picker.does("c"), picker.does("d")]).toEqual(["a-b", "", ""]);
    picker.tap("c");
    expect([picker.does("d"), picker.does("a"), picker.does("z")]).toEqual(["c-d", "a-b", ""]);
  });

  test("a careful player touches every place", () => {
    const [picker, played] = offered([way("a-b", "a", "b")], true);
    picker.tap("a");
    expect(played).toEqual([]);
    expect([...picker.next]).toEqual(["b"]);
    picker.tap("b");
    expect(played).toEqual(["a-b"]);
  });

  test("a piece with two moves waits for the target, and another piece can be taken instead", () => {
    const [picker, played] = offered([way("a-b", "a", "b"), way("a-c", "a", "c"), way("d-e", "d", "e"), way("d-f", "d", "f")]);
    picker.tap("a");
    expect([...picker.next].sort()).toEqual(["b", "c"]);
    picker.tap("d");
    expect([...picker.next].sort()).toEqual(["e", "f"]);
    picker.tap("f");
    expect(played).toEqual(["d-f"]);
  });

  test("a complete way that others go on from is ready, and a second tap plays it", () => {
    const [picker, played] = offered([way("a-b", "a", "b"), way("a-b+c-d", "a", "b", "c", "d"), way("a-b+c-e", "a", "b", "c", "e")]);
    picker.tap("a");
    picker.tap("b");
    expect(picker.ready?.text).toBe("a-b");
    expect(played).toEqual([]);
    picker.tap("b");
    expect(played).toEqual(["a-b"]);
  });

  test("a drag that ends nowhere changes nothing", () => {
    const [picker, played] = offered([way("a-b", "a", "b")]);
    expect(picker.lift("a")).toBe(true);
    picker.drop(null);
    expect(picker.taken).toEqual([]);
    picker.lift("a");
    picker.drop("b");
    expect(played).toEqual(["a-b"]);
    expect(picker.lift("x")).toBe(false);
  });

  test("places ahead are shown for what is pointed at", () => {
    const [picker] = offered([way("a-b", "a", "b"), way("c-d", "c", "d")]);
    picker.pointed = "c";
    expect([...picker.ahead]).toEqual(["d"]);
  });
});
