type Properties = Readonly<Record<string, string>>;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "'": "&apos;",
  '"': "&quot;",
};

const property = ([name, value]: readonly [string, string]): string =>
  `\t\t<apps:property name='${name}' value='${value.replace(/[&<>'"]/g, (c) => ENTITIES[c] ?? c)}'/>\n`;

/** An export as Gmail writes it: single quotes, ids, dates, an author, sizes that mean nothing. */
export const gmailExport = (...entries: Properties[]): string =>
  [
    "<?xml version='1.0' encoding='UTF-8'?><feed xmlns='http://www.w3.org/2005/Atom' xmlns:apps='http://schemas.google.com/apps/2006'>\n",
    "\t<title>Mail Filters</title>\n\t<id>tag:mail.google.com,2008:filters:z0000001</id>\n",
    "\t<updated>2024-06-01T24:58:30Z</updated>\n",
    "\t<author>\n\t\t<name>Ann Example</name>\n\t\t<email>ann@example.com</email>\n\t</author>\n",
    ...entries.flatMap((properties, index) => [
      "\t<entry>\n\t\t<category term='filter'></category>\n\t\t<title>Mail Filter</title>\n",
      `\t\t<id>tag:mail.google.com,2008:filter:z00000016${index}*4</id>\n`,
      "\t\t<updated>2024-06-01T10:00:00Z</updated>\n\t\t<content></content>\n",
      ...Object.entries({ sizeOperator: "s_sl", sizeUnit: "s_smb", ...properties }).map(property),
      "\t</entry>\n",
    ]),
    "</feed>",
  ].join("");
