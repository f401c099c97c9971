export const data = (value: unknown): Response => Response.json({ data: value });

export const failure = (status: number, message: string): Response =>
  Response.json({ message }, { status });
