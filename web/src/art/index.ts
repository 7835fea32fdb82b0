// The picture of each game in the hall.
import type { Component } from "svelte";
import EgarPicture from "./EgarPicture.svelte";
import NilePicture from "./NilePicture.svelte";
import UrModernPicture from "./UrModernPicture.svelte";
import UrPicture from "./UrPicture.svelte";

export const PICTURES: Record<string, Component> = {
  ur: UrPicture,
  "ur-modern": UrModernPicture,
  nile: NilePicture,
  egar: EgarPicture,
};
