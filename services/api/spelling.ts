/** How names that must be unique are compared, for messages that say that one is taken. */
export const spelled = "in upper or lower case or any Unicode normal form";
