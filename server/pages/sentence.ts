/** The tools' messages are made to stand after a path, so they begin with a small letter. */
export const sentence = (message: string): string =>
  message.charAt(0).toUpperCase() + message.slice(1);
