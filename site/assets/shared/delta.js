// Applies byte deltas: see `engine/rulewright/book/play_page/byte_delta.py`.

/** Applies a delta to the bytes `there`, up to a maximum size. Throws an Error if it does not fit. */
export function applied(delta, there, most) {
  const pieces = [];
  let size = 0;
  for (let at = 0; at < delta.length; at++) {
    const piece = typeof delta[at] === "string" ? own(delta[at], most - size) : taken(delta[at], delta[++at], there);
    size += piece.length;
    if (size > most) throw new Error("they are larger than any game that is played here");
    pieces.push(piece);
  }
  const made = new Uint8Array(size);
  size = 0;
  for (const piece of pieces) {
    made.set(piece, size);
    size += piece.length;
  }
  return made;
}

function own(letters, most) {
  if (letters.length > most) throw new Error("they are larger than any game that is played here");
  if (/[^\0-\xff]/.test(letters)) throw new Error("they contain letters that stand for no bytes");
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

function taken(place, length, there) {
  const fits = Number.isSafeInteger(place) && Number.isSafeInteger(length) && place >= 0 && length > 0 && place + length <= there.length;
  if (!fits) throw new Error("they were made for another version of that book");
  return there.subarray(place, place + length);
}
