export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Some browsers read the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A name that every file system takes. */
export function fileName(name: string, ending: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80).replaceAll(
    /^[.-]+|[.-]+$/g,
    "",
  );
  return `lineage-${plain || "drawing"}.${ending}`;
}
