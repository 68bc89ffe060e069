/** An element of a small XML 1.0 reader: enough to hold reports to well-formedness, strict where XML is. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

interface Open {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const TOKEN =
  /<\?xml [^?]*\?>|<!\[CDATA\[[\s\S]*?\]\]>|<\/([\w:-]+)\s*>|<([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|[^<]+/y;

/** Reads a document. @throws Error with the place where it is not well-formed. */
export function parseXml(xml: string): XmlElement {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml))
    throw new Error('A character XML cannot hold.');
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const stack: Open[] = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(xml);
    if (match === null) throw new Error(`Not well-formed at ${at}: ${xml.slice(at, at + 60)}`);
    const [token, closed, opened, attributes = '', selfClosed] = match;
    const parent = stack.at(-1) ?? root;
    if (closed !== undefined) {
      if (parent.name !== closed) throw new Error(`</${closed}> closes <${parent.name}> at ${at}`);
      stack.pop();
    } else if (opened !== undefined) {
      const element: Open = { name: opened, attributes: readAttributes(attributes), children: [], text: '' };
      parent.children.push(element);
      if (selfClosed !== '/') stack.push(element);
    } else if (!token.startsWith('<?xml')) {
      parent.text += token.startsWith('<!') ? token : decode(token);
    }
  }
  const only = root.children[0];
  if (stack.length !== 1 || root.children.length !== 1 || only === undefined) throw new Error('Not one closed root.');
  return only;
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([\w:-]+)="([^"]*)"/g)) {
    if (Object.hasOwn(attributes, name)) throw new Error(`Attribute ${name} twice.`);
    attributes[name] = decode(value);
  }
  return attributes;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(#\d+|#x[0-9a-f]+|\w+)?;?/gi, (match, entity: string | undefined) => {
    if (entity === undefined || !match.endsWith(';')) throw new Error(`A bare & in ${text.slice(0, 60)}`);
    if (entity.startsWith('#x')) return String.fromCodePoint(Number.parseInt(entity.slice(2), 16));
    if (entity.startsWith('#')) return String.fromCodePoint(Number(entity.slice(1)));
    const character = NAMED[entity];
    if (character === undefined) throw new Error(`XML knows no &${entity};`);
    return character;
  });
}

/** All elements of a name, in document order. */
export function elements(root: XmlElement, name: string): readonly XmlElement[] {
  const found = root.children.flatMap((child) => elements(child, name));
  return root.name === name ? [root, ...found] : found;
}
