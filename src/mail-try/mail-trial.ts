import { findConflict } from "../mail-filter/conflicts.ts";
import { type MailMessage, SearchableMail } from "../mail-filter/match/mail.ts";
import type { FilterMatcher, Match } from "../mail-filter/match/match.ts";
import { cutToBytes } from "../text.ts";
import type { RawMail } from "./mailbox.ts";
import { readMail } from "./read-mail.ts";
import type {
  MailTrialReport,
  SkipReason,
  SortedFilters,
  TrialConflict,
  TriedFilter,
} from "./report.ts";

/** Folders whose mails are tried too; those of the inbox and the archive always are. */
export interface MailTrialOptions {
  readonly includeSpam?: boolean | undefined;
  readonly includeTrash?: boolean | undefined;
}

/** A tried mail, or one that is left out for a reason, with no matches. */
export interface TriedMail {
  readonly id: string;
  readonly message: MailMessage;
  readonly matches: readonly Match[];
  readonly skipped?: SkipReason | undefined;
}

/** Tries filters on mails, one after the other, and counts. */
export class MailTrial {
  readonly filters: readonly FilterMatcher[];
  private readonly counts: FilterCount[];
  private readonly skipped = { chats: 0, sent: 0, spam: 0, trash: 0 };
  private readonly broken = new Map<string, number>();
  private readonly clashes = new Map<string, TrialConflict>();
  private readonly options: MailTrialOptions;
  private mails = 0;

  constructor(filters: readonly FilterMatcher[], options: MailTrialOptions = {}) {
    this.filters = filters;
    this.counts = this.filters.map(() => new FilterCount());
    this.options = options;
  }

  /** Tries the filters on a mail. */
  async take(raw: RawMail): Promise<TriedMail> {
    const { id, message, flaws } = await readMail(raw);
    const skipped = skipReason(message.labels ?? [], this.options);
    if (skipped) {
      this.skipped[skipped] += 1;
      return { id, message, matches: [], skipped };
    }
    this.mails += 1;
    for (const flaw of flaws) this.broken.set(flaw, (this.broken.get(flaw) ?? 0) + 1);
    const mail = new SearchableMail(message);
    const matches = this.filters.map((filter) => filter.match(mail));
    matches.forEach(({ matched }, index) => {
      if (matched !== "no") this.counts[index]?.add(matched, message);
    });
    this.countConflicts(matches);
    return { id, message, matches };
  }

  report(): MailTrialReport {
    return {
      filters: this.filters.map(({ name, search }, index) => ({
        name,
        search,
        ...(this.counts[index] ?? new FilterCount()).report(),
      })),
      mails: this.mails,
      skipped: { ...this.skipped },
      broken: Array.from(this.broken, ([reason, mails]) => ({ reason, mails })),
      clashes: [...this.clashes.values()],
    };
  }

  private countConflicts(matches: readonly Match[]): void {
    const taken = this.filters.filter((_, index) => matches[index]?.matched === "yes");
    for (const [index, other] of taken.entries()) {
      for (const one of taken.slice(0, index)) {
        const reason = findConflict(one.actions, other.actions);
        if (!reason) continue;
        const filters = [one.title, other.title] as const;
        const key = filters.join("\n");
        const mails = (this.clashes.get(key)?.mails ?? 0) + 1;
        this.clashes.set(key, { filters, reason, mails });
      }
    }
  }
}

/** The mails that one filter matches. */
class FilterCount {
  private readonly sure: string[] = [];
  private readonly unsure: string[] = [];
  private yes = 0;
  private unknown = 0;
  private last = "";

  add(matched: "yes" | "unknown", { subject: whole = "", date = "" }: MailMessage): void {
    const subjects = matched === "yes" ? this.sure : this.unsure;
    if (subjects.length < SUBJECTS) {
      const subject = cutToBytes(whole, MAX_SUBJECT_BYTES);
      if (!subjects.includes(subject)) subjects.push(subject);
    }
    this[matched] += 1;
    if (matched === "yes" && date > this.last) this.last = date;
  }

  report(): Omit<TriedFilter, "name" | "search"> {
    return {
      at_least: this.yes,
      at_most: this.yes + this.unknown,
      last: this.last === "" ? null : this.last,
      subjects: this.yes > 0 ? [...this.sure] : [...this.unsure],
    };
  }
}

const SUBJECTS = 3;

/** A hostile subject may be as long as the header. */
const MAX_SUBJECT_BYTES = 500;

export function sortFilters(
  { filters }: MailTrialReport,
  matchers: readonly FilterMatcher[],
): SortedFilters {
  const titled = filters.map((filter, index) => ({
    ...filter,
    name: matchers[index]?.title ?? filter.name,
  }));
  const having = (field: "delete" | "forward_to") =>
    titled.filter(({ at_most }, index) => at_most > 0 && matchers[index]?.actions[field]);
  const [deleting, forwarding] = [having("delete"), having("forward_to")];
  return {
    deleting,
    forwarding,
    others: titled.filter(
      (filter) => filter.at_most > 0 && !deleting.includes(filter) && !forwarding.includes(filter),
    ),
    unmatched: filters.filter(({ at_most }) => at_most === 0),
  };
}

/** Why a mail is left out, by the labels that Google Takeout gives it; undefined for most. */
function skipReason(
  labels: readonly string[],
  { includeSpam = false, includeTrash = false }: MailTrialOptions,
): SkipReason | undefined {
  const has = (folder: keyof typeof NAMES) =>
    labels.some((label) => NAMES[folder].has(label.normalize().toLowerCase()));
  if (has("chats")) return "chats";
  if (has("spam") && !includeSpam) return "spam";
  if (has("trash") && !includeTrash) return "trash";
  return has("sent") && !has("inbox") ? "sent" : undefined;
}

const names = (list: string): ReadonlySet<string> =>
  new Set(list.split(/, |\n/).map((name) => name.trim()));

/**
 * Takeout writes Gmail's built-in labels in the language of the account. Of a language with several
 * names (Gmail's list has one, its folders for mail programs another) all are here, in lower case; the
 * first ones are from programs that read such files (imap-upload, suitenumerique/messages) and from
 * reports (bichon, got-your-back #442), the others from Gmail's own lists.
 */
const NAMES = {
  spam: names(`spam, nevyžádaná pošta, nevyžiadaná pošta, rämpspost, roskaposti, skräppost, søppelpost
    neželena pošta, нежелана пошта, спам, ανεπιθύμητα, ανεπιθύμητη αλληλογραφία, 迷惑メール, 垃圾邮件, 垃圾郵件
    스팸, 스팸함, غير المرغوب فيها, الرسائل غير المرغوب فيها, ספאם, דואר זבל, สแปม, จดหมายขยะ, thư rác, स्पैम`),
  chats: names("chat, chats, xats, conversations, chaty, czaty, чаты, чати, チャット, 聊天, 채팅"),
  trash:
    names(`trash, bin, papierkorb, papelera, paperera, corbeille, cestino, lixeira, lixo, reciclagem
    prullenbak, papirkurv, papirkorg, papperskorg, papperskorgen, roskakori, kosz, koš, kôš, kuka, lomtár
    coș de gunoi, çöp kutusu, çöp, κάδος, κάδος απορριμμάτων, корзина, кошик, кошче, smeće, smetnjak, otpad
    šiukšliadėžė, šiukšlinė, miskaste, atkritne, prügikast, ゴミ箱, 已删除邮件, 垃圾桶, 휴지통
    المهملات, سلة المهملات, אשפה, ถังขยะ, thùng rác, sampah, tong sampah, ट्रैश, basurahan`),
  sent: names(`sent, sent mail, gesendet, enviado, enviados, mensajes enviados, correo enviado, enviats, correu enviat
    envoyé, envoyés, messages envoyés, mails envoyés, inviata, inviati, inviate, posta inviata, messaggi inviati
    e-mails enviados, correio enviado, itens enviados, mensagens enviadas, verzonden, verzonden berichten
    sendt, sendte, sendte mails, sendt e-post, skickat, skickade, skickat mail, lähetetyt, lähetetty
    lähetetyt viestit, wysłane, wysłana, odesláno, odeslané, odeslaná pošta, odoslané, odoslaná pošta
    elküldött, elküldött levelek, elküldött üzenetek, trimise, mesaje trimise, gönderilmiş, gönderildi, gönderilenler
    gönderilmiş postalar, απεσταλμένα, σταλμένα, απεσταλμένη αλληλογραφία, отправленные, отправлено
    надіслані, надіслане, відправлені, изпратени, изпратена поща, poslano, poslana pošta, послато, послате
    išsiųsta, išsiųsti, išsiųsti laiškai, nosūtīts, nosūtītie, nosūtītās vēstules, saadetud, saadetud kirjad
    送信済み, 送信済みメール, 已发送, 已发邮件, 已傳送, 寄件備份, 寄件匣, 보낸편지함, 보낸 편지함
    المرسل, المرسلة, البريد المرسل, تم الإرسال, נשלח, דואר יוצא, דואר שנשלח, פריטים שנשלחו
    ส่งแล้ว, จดหมายที่ส่งแล้ว, đã gửi, thư đã gửi, terkirim, surat terkirim, dihantar, mel dihantar
    भेजे गए, भेजा गया, भेजी गई, naipadala, ipinadala, sendt post, sent items`),
  inbox:
    names(`inbox, posteingang, recibidos, bandeja de entrada, bústia d'entrada, safata d'entrada
    boîte de réception, posta in arrivo, caixa de entrada, entrada, a receber, postvak in, indbakke, innboks
    inkorg, inkorgen, inkommande, postilaatikko, saapuneet, odebrane, skrzynka odbiorcza, doručené
    doručená pošta, beérkező levelek, beérkezett üzenetek, mesaje primite, primite, gelen kutusu, εισερχόμενα
    входящие, вхідні, входящи, входяща поща, primljeno, pristigla pošta, prejeto, примљено, gauta
    gauti laiškai, gautieji, iesūtne, postkast, sisendkaust, 受信トレイ, 收件箱, 收件匣, 받은편지함, 받은 편지함
    البريد الوارد, صندوق الوارد, الوارد, דואר נכנס, กล่องจดหมาย, กล่องขาเข้า, hộp thư đến, kotak masuk
    peti masuk, इनबॉक्स`),
} as const;
