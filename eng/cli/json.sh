# Requests to the shop, reading JSON with awk, which every machine has, and printing rows of it as a table.

# shop_curl ARGUMENT...: without a proxy of the environment, which does not reach the shop and would get the key of
# operators.
shop_curl() { curl --noproxy '*' "$@"; }

# operator_curl ARGUMENT...: with the key of operators, in a file, because `ps` shows arguments to every user.
operator_curl() { shop_curl -sS -H @<(printf 'Authorization: Bearer %s\n' "$ADMIN_KEY") "$@"; }

# admin_json METHOD PATH HINT: the response of Commands.Api; a refusal is printed with its detail and the hint.
admin_json() {
  local answer status
  answer=$(operator_curl -m 600 -X "$1" "$COMMANDS_URL/admin/$2" -w '\n%{http_code}') ||
    fail "Commands.Api is unavailable at $COMMANDS_URL." "./apexshop status"
  status=${answer##*$'\n'} answer=${answer%$'\n'*}
  if [[ $status != 2* ]]; then
    answer=$(flat_json <<<"$answer")
    fail "$(flat_value detail <<<"$answer") ($status $(flat_value code <<<"$answer"))" "$3"
  fi
  printf '%s\n' "$answer"
}

# flat_json: every value of the JSON on stdin as a line "path<tab>value", such as "items.0.id<tab>17". Control
# characters, which could move the cursor of a terminal, are shown as a dot.
flat_json() {
  LC_ALL=C awk '
    function hex(text,   i, n) {
      for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
      return n
    }
    function utf8(n) {
      if (n < 32 || n == 127) return "."
      if (n < 128) return sprintf("%c", n)
      if (n < 2048) return sprintf("%c%c", 192 + int(n / 64), 128 + n % 64)
      return sprintf("%c%c%c", 224 + int(n / 4096), 128 + int(n / 64) % 64, 128 + n % 64)
    }
    # A long text is built from pieces: appending single characters would copy it each time.
    function string(   text, piece, c) {
      for (at++; (c = substr(json, at, 1)) != "\""; at++) {
        if (c == "\\") {
          c = substr(json, ++at, 1)
          if (c == "u") { c = utf8(hex(substr(json, at + 1, 4))); at += 4 }
          else if (c !~ /["\\\/]/) c = "."
        }
        piece = piece c
        if (length(piece) > 1000) { text = text piece; piece = "" }
      }
      at++
      return text piece
    }
    function value(path,   c, name, n) {
      c = substr(json, at, 1)
      if (c == "\"") print path "\t" string()
      else if (c == "{" || c == "[") {
        at++
        while ((name = substr(json, at, 1)) != "}" && name != "]") {
          if (name == ",") at++
          if (c == "{") { name = string(); at++ } else name = n++
          value(path == "" ? name : path "." name)
        }
        at++
      } else {
        name = substr(json, at)
        sub(/[],}].*/, "", name)
        at += length(name)
        print path "\t" name
      }
    }
    { json = json $0 }
    END { at = 1; if (json != "") value("") }'
}

# flat_value NAME: the value of a member of the flat JSON on stdin.
flat_value() { awk -F '\t' -v name="$1" '$1 == name { print $2; exit }'; }

# flat_rows LIST MEMBER...: a line for each item of a list of the flat JSON on stdin, with these members between tabs.
flat_rows() {
  awk -F '\t' -v list="$1" -v members="${*:2}" '
    BEGIN { count = split(members, name, " ") }
    index($1, list ".") == 1 {
      rest = substr($1, length(list) + 2)
      item = rest + 0
      values[item, substr(rest, index(rest, ".") + 1)] = $2
      if (item + 1 > items) items = item + 1
    }
    END {
      for (i = 0; i < items; i++) {
        line = ""
        for (m = 1; m <= count; m++) line = line (m > 1 ? "\t" : "") (((i, name[m]) in values) ? values[i, name[m]] : "")
        print line
      }
    }'
}

# print_table HEADING...: the lines on stdin in columns under headings; the last column has no fixed width.
print_table() {
  local heading line=''
  for heading in "$@"; do line+="${line:+$'\t'}$heading"; done
  { printf '%s\n' "$line" && cat; } | awk -F '\t' '
    { for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } if (NF > columns) columns = NF }
    END {
      for (r = 1; r <= NR; r++) {
        line = "  "
        for (i = 1; i < columns; i++) line = line sprintf("%-" width[i] "s  ", cell[r, i])
        print line cell[r, columns]
      }
    }'
}
