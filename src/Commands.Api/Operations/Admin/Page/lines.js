// The rows of a file of NDJSON or CSV as lines of JSON, each with the number of its line.

/** Rows of `{ line, text }`; one that cannot be sent at all has a `reason` in place of the text. */
export function readFile(text, name, members) {
  const content = text.replace(/^\uFEFF/, '');
  return /\.csv$/i.test(name) ? readCsv(content, members) : readNdJson(content);
}

function readNdJson(text) {
  const lines = text.split('\n').map((content, index) => ({ line: index + 1, text: content.trim() }));
  // The text itself is sent, so that its numbers keep their digits.
  return lines.filter((row) => row.text).map((row) =>
    isObject(row.text) ? row : { line: row.line, reason: 'It is not an object of JSON.' });
}

function isObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function readCsv(text, members) {
  const [head, ...records] = splitCsv(text.replace(/\r\n?/g, '\n'));
  const columns = head?.cells.map((cell) => cell.trim()) ?? [];
  const types = new Map(members.map(({ name, type }) => [name, type]));
  const unknown = columns.filter((name) => !types.has(name));
  if (unknown.length) return [{ line: 1, reason: `Unknown columns: ${unknown.join(', ').slice(0, 200)}.` }];
  return records.filter(({ cells }) => cells.length > 1 || cells[0]).map(({ line, cells, isOpen }) => {
    if (isOpen) return { line, reason: 'A quotation mark is not closed.' };
    return cells.length === columns.length ? { line, text: objectOf(columns, cells, types) }
      : { line, reason: `It has ${cells.length} cells; there are ${columns.length} columns.` };
  });
}

// An empty cell is a member that is left out.
function objectOf(columns, cells, types) {
  const given = columns.map((name, index) => [name, cells[index]]).filter(([, cell]) => cell !== '');
  return `{${given.map(([name, cell]) => `${JSON.stringify(name)}:${valueOf(cell, types.get(name))}`).join()}}`;
}

// A cell that is no value of its member stays a text, and the command refuses it by its name.
function valueOf(cell, type) {
  const text = cell.trim();
  if (type === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return text;
  if (type === 'flag' && /^(true|false)$/i.test(text)) return text.toLowerCase();
  if (type === 'images') return JSON.stringify(listOf(text) ?? cell);
  return JSON.stringify(cell);
}

function listOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The records of RFC 4180, each with the line at which it begins. A quoted cell may have line breaks. */
function* splitCsv(text) {
  let [cells, cell, line, start, isQuoted] = [[], '', 1, 1, false];
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '\n') line++;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[i + 1] === '"') cell += text[++i];
      else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === ',') [cells, cell] = [[...cells, cell], ''];
    else if (character === '\n') {
      yield { line: start, cells: [...cells, cell] };
      [cells, cell, start] = [[], '', line];
    } else cell += character;
  }
  if (cells.length || cell || isQuoted) yield { line: start, cells: [...cells, cell], isOpen: isQuoted };
}
