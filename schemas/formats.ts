import * as v from "valibot";

/*
 * The two JSON Schema formats that the contracts use. Valibot's own checks differ from
 * what `format` means to a JSON Schema validator (`v.url` takes "javascript:alert(1)" and
 * raw spaces, `v.email` refuses "o'x@b.co"), so its actions are kept, for their conversion
 * to `format`, with the rules of the RFCs.
 */

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const HOST_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";

/** RFC 5321 addresses with a dot-atom local part and a domain of two labels or more. */
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${HOST_LABEL}\\.)+${HOST_LABEL}$`);

/** `format: email` */
export const email = () => ({ ...v.rfcEmail<string>(), requirement: EMAIL });

/** RFC 3986 section 2: unreserved, percent-encoded, sub-delims. */
const CHARACTER = "[A-Za-z0-9\\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2}";
const PATH_CHARACTER = `(?:${CHARACTER}|[:@])`;
const H16 = "[0-9A-Fa-f]{1,4}";
const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;
const LAST32 = `(?:${H16}:${H16}|${IPV4})`;
const IPV6 = [
  `(?:${H16}:){6}${LAST32}`,
  `::(?:${H16}:){5}${LAST32}`,
  `(?:${H16})?::(?:${H16}:){4}${LAST32}`,
  `(?:(?:${H16}:){0,1}${H16})?::(?:${H16}:){3}${LAST32}`,
  `(?:(?:${H16}:){0,2}${H16})?::(?:${H16}:){2}${LAST32}`,
  `(?:(?:${H16}:){0,3}${H16})?::${H16}:${LAST32}`,
  `(?:(?:${H16}:){0,4}${H16})?::${LAST32}`,
  `(?:(?:${H16}:){0,5}${H16})?::${H16}`,
  `(?:(?:${H16}:){0,6}${H16})?::`,
].join("|");
const IP_FUTURE = "[Vv][0-9A-Fa-f]+\\.[A-Za-z0-9\\-._~!$&'()*+,;=:]+";
const HOST = `(?:\\[(?:${IPV6}|${IP_FUTURE})\\]|(?:${CHARACTER})*)`;
const AUTHORITY = `(?:(?:${CHARACTER}|:)*@)?${HOST}(?::\\d*)?`;
const SEGMENTS = `(?:/${PATH_CHARACTER}*)*`;
const HIERARCHY = `(?://${AUTHORITY}${SEGMENTS}|/(?:${PATH_CHARACTER}+${SEGMENTS})?|${PATH_CHARACTER}+${SEGMENTS})?`;
const TAIL = `(?:\\?(?:${PATH_CHARACTER}|[/?])*)?(?:#(?:${PATH_CHARACTER}|[/?])*)?`;

/** RFC 3986 appendix A, an absolute URI with an optional fragment. */
const URI = new RegExp(`^[A-Za-z][A-Za-z0-9+.-]*:${HIERARCHY}${TAIL}$`);

/** `format: uri` */
export const uri = () => ({ ...v.url<string>(), requirement: (value: string) => URI.test(value) });
