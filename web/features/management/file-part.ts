/** Bytes of a file of text, and at least of a file of Parquet, that tell its fields. */
const textBytes = 256 * 1024;
const endBytes = 64 * 1024;

/** The footer of Parquet ends with its length and these letters. */
const tailBytes = 8;
const magic = 0x31524150;

/** The part of a file that tells its fields: the footer of Parquet, the beginning of text. The rest stays here. */
export async function describingPart(file: File): Promise<Blob> {
  if (!/\.parquet$/i.test(file.name)) return file.slice(0, textBytes);
  const tail = new DataView(await file.slice(-tailBytes).arrayBuffer());
  const isParquet = tail.byteLength === tailBytes && tail.getUint32(4, true) === magic;
  const footer = isParquet ? tail.getUint32(0, true) + tailBytes : 0;
  return file.slice(-Math.max(footer, endBytes));
}
