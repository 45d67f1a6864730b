// A zip of a few small texts, each stored as it is: what a folder of house rules takes is smaller than a packer would be.

const TABLE = Uint32Array.from({ length: 256 }, (_, each) => {
  let found = each;
  for (let bit = 0; bit < 8; bit++) found = found & 1 ? 0xedb88320 ^ (found >>> 1) : found >>> 1;
  return found;
});

/** The check sum of bytes that zips have (CRC-32 of ISO 3309). */
function checksum(bytes) {
  let found = 0xffffffff;
  for (const byte of bytes) found = TABLE[(found ^ byte) & 255] ^ (found >>> 8);
  return (found ^ 0xffffffff) >>> 0;
}

// No file of it has an age: the day is the first that a zip can name.
const DAY = 0x21, UTF8 = 0x800, VERSION = 20;

/** The bytes of a zip with these texts by name. Its format: PKWARE's APPNOTE, sections 4.3.7, 4.3.12 and 4.3.16. */
export function zipped(files) {
  const parts = [], listed = [];
  let at = 0;
  const put = (list, sizes) => {
    const bytes = new Uint8Array(sizes.reduce((sum, [size]) => sum + size, 0)), view = new DataView(bytes.buffer);
    let place = 0;
    for (const [size, value] of sizes) {
      if (size === 2) view.setUint16(place, value, true);
      else view.setUint32(place, value, true);
      place += size;
    }
    list.push(bytes);
    return bytes.length;
  };
  for (const [name, text] of Object.entries(files)) {
    const called = new TextEncoder().encode(name), content = new TextEncoder().encode(text);
    const about = [[2, UTF8], [2, 0], [2, 0], [2, DAY], [4, checksum(content)], [4, content.length], [4, content.length], [2, called.length]];
    const begins = at;
    at += put(parts, [[4, 0x04034b50], [2, VERSION], ...about, [2, 0]]);
    parts.push(called, content);
    at += called.length + content.length;
    put(listed, [[4, 0x02014b50], [2, VERSION], [2, VERSION], ...about, [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, begins]]);
    listed.push(called);
  }
  const size = listed.reduce((sum, each) => sum + each.length, 0), count = Object.keys(files).length;
  put(listed, [[4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, at], [2, 0]]);
  return new Blob([...parts, ...listed], { type: "application/zip" });
}
