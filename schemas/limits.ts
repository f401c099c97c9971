/** Largest tool input, in UTF-8 bytes of its JSON: 16 KiB. */
export const MAX_TOOL_INPUT_BYTES = 16_384;

/** Largest signup body, in bytes: 8 KiB. */
export const MAX_SIGNUP_BYTES = 8_192;
