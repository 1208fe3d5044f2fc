/** Languages of the interface, of mails and of chat messages, by BCP 47 tag. */
export const languages = ["en", "de", "es", "fr", "ja", "pt", "uk", "zh"] as const;
export type Language = (typeof languages)[number];
