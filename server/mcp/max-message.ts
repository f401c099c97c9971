import { MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";

/**
 * Arguments of full size as they are, or with every quote escaped, and the frame around them. It stands
 * apart from `message.ts`, which loads the SDK: the server does so at the first MCP request only.
 */
export const MAX_MESSAGE_BYTES = 2 * MAX_TOOL_INPUT_BYTES;
