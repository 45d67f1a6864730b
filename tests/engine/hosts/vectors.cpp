/* A host in C++, written by what `interface.md` says: it plays the conformance suite on the runtime of the wasmtime wheel,
 * with SIMD switched off, and stops at the first difference. Usage: vectors FOLDER */
#include <algorithm>
#include <climits>
#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <cwctype>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using std::map; using std::pair; using std::set; using std::string; using std::vector;
typedef int64_t i64;
static const i64 NONE = INT64_MIN, BLOCK = 1LL << 62;

/* -- JSON, whose members keep their order; rolls and what is hidden are values, too ------------------------------------- */

struct Value {
  enum Is { Null, Bool, Int, Float, Text, List, Object, Roll, Hidden } is = Null;
  i64 number = 0;
  string text;
  vector<Value> list;
  vector<pair<string, Value>> members;
  Value() {}
  Value(bool b) : is(Bool), number(b) {}
  Value(i64 n) : is(Int), number(n) {}
  Value(int n) : is(Int), number(n) {}
  Value(const string &s) : is(Text), text(s) {}
  Value(const char *s) : is(Text), text(s) {}
  Value(vector<Value> l) : is(List), list(std::move(l)) {}
  static Value object() { Value v; v.is = Object; return v; }
  static Value hidden() { Value v; v.is = Hidden; return v; }
  static Value roll(const string &s) { Value v; v.is = Roll; v.text = s; return v; }
  bool null() const { return is == Null; }
  const Value *find(const string &name) const {
    for (auto &each : members) if (each.first == name) return &each.second;
    return nullptr;
  }
  const Value &operator[](const string &name) const {
    auto found = find(name);
    if (!found) throw std::runtime_error("there is no " + name);
    return *found;
  }
  const Value &operator[](const char *name) const { return (*this)[string(name)]; }
  const Value &operator[](size_t at) const { return list.at(at); }
  const Value &operator[](int at) const { return list.at((size_t)at); }
  bool has(const string &name) const { return find(name) != nullptr; }
  void put(const string &name, Value value) {
    for (auto &each : members) if (each.first == name) { each.second = std::move(value); return; }
    members.emplace_back(name, std::move(value));
  }
  void drop(const string &name) {
    members.erase(std::remove_if(members.begin(), members.end(), [&](auto &each) { return each.first == name; }), members.end());
  }
  bool operator==(const Value &o) const {
    if (is != o.is) return false;
    if (is == Object) {
      if (members.size() != o.members.size()) return false;
      for (auto &each : members) { auto there = o.find(each.first); if (!there || !(*there == each.second)) return false; }
      return true;
    }
    return number == o.number && text == o.text && list == o.list;
  }
  bool operator!=(const Value &o) const { return !(*this == o); }
  bool nothing() const {
    return is == Null || is == Hidden || ((is == Int || is == Bool) && !number) || (is == Text && text.empty()) || (is == List && list.empty());
  }
  bool empty_list() const { return is == List && list.empty(); }
};

struct Reader {
  const string &s; size_t at = 0;
  explicit Reader(const string &text) : s(text) {}
  void space() { while (at < s.size() && strchr(" \n\r\t", s[at])) at++; }
  [[noreturn]] void bad() { throw std::runtime_error("this is no JSON, at " + std::to_string(at)); }
  static void utf8(string &to, unsigned c) {
    if (c < 0x80) to += (char)c;
    else if (c < 0x800) { to += (char)(0xC0 | c >> 6); to += (char)(0x80 | (c & 63)); }
    else if (c < 0x10000) { to += (char)(0xE0 | c >> 12); to += (char)(0x80 | (c >> 6 & 63)); to += (char)(0x80 | (c & 63)); }
    else { to += (char)(0xF0 | c >> 18); to += (char)(0x80 | (c >> 12 & 63)); to += (char)(0x80 | (c >> 6 & 63)); to += (char)(0x80 | (c & 63)); }
  }
  unsigned hex() { unsigned n = (unsigned)std::stoul(s.substr(at, 4), nullptr, 16); at += 4; return n; }
  string text() {
    string found;
    for (at++; at < s.size() && s[at] != '"';) {
      if (s[at] != '\\') { found += s[at++]; continue; }
      char c = s[at + 1]; at += 2;
      switch (c) {
        case 'b': found += '\b'; break; case 'f': found += '\f'; break; case 'n': found += '\n'; break;
        case 'r': found += '\r'; break; case 't': found += '\t'; break;
        case 'u': { unsigned n = hex(); if (n >= 0xD800 && n < 0xDC00 && s[at] == '\\') { at += 2; n = 0x10000 + ((n - 0xD800) << 10) + (hex() - 0xDC00); } utf8(found, n); break; }
        default: found += c;
      }
    }
    at++;
    return found;
  }
  Value value() {
    space();
    if (at >= s.size()) bad();
    switch (s[at]) {
      case '"': return text();
      case 'n': at += 4; return {};
      case 't': at += 4; return true;
      case 'f': at += 5; return false;
      case '[': {
        Value found{vector<Value>{}};
        at++; space();
        if (s[at] == ']') { at++; return found; }
        for (;;) { found.list.push_back(value()); space(); if (s[at++] == ']') return found; }
      }
      case '{': {
        Value found = Value::object();
        at++; space();
        if (s[at] == '}') { at++; return found; }
        for (;;) {
          space(); string name = text(); space();
          if (s[at++] != ':') bad();
          found.members.emplace_back(name, value()); space();
          if (s[at++] == '}') return found;
        }
      }
    }
    size_t end = s.find_first_not_of("+-0123456789.eE", at);
    string digits = s.substr(at, end - at);
    at = end;
    if (digits.empty()) bad();
    if (digits.find_first_of(".eE") == string::npos) return (i64)std::stoll(digits);
    Value v; v.is = Value::Float; v.text = digits; return v;
  }
};

static string quoted(const string &text) {
  string found = "\"";
  for (unsigned char c : text) {
    switch (c) {
      case '"': found += "\\\""; break; case '\\': found += "\\\\"; break; case '\b': found += "\\b"; break; case '\f': found += "\\f"; break;
      case '\n': found += "\\n"; break; case '\r': found += "\\r"; break; case '\t': found += "\\t"; break;
      default: if (c < 32) { char code[8]; snprintf(code, sizeof code, "\\u%04x", c); found += code; } else found += (char)c;
    }
  }
  return found + "\"";
}

static string written(const Value &v) {
  string found;
  switch (v.is) {
    case Value::Null: return "null";
    case Value::Bool: return v.number ? "true" : "false";
    case Value::Int: return std::to_string(v.number);
    case Value::Text: return quoted(v.text);
    case Value::Roll: return "{\"dice\": " + quoted(v.text) + "}";
    case Value::List:
      for (auto &each : v.list) found += (found.empty() ? "" : ", ") + written(each);
      return "[" + found + "]";
    case Value::Object:
      for (auto &each : v.members) found += (found.empty() ? "" : ", ") + quoted(each.first) + ": " + written(each.second);
      return "{" + found + "}";
    default: return v.is == Value::Hidden ? "<hidden>" : v.text;
  }
}

static string sha256(const string &text) { /* FIPS 180-4 */
  vector<uint32_t> primes;
  for (uint32_t n = 2; primes.size() < 64; n++) if (std::all_of(primes.begin(), primes.end(), [&](uint32_t p) { return n % p; })) primes.push_back(n);
  auto root = [](uint32_t p, int power) { /* the first 32 bits behind the point */
    unsigned __int128 low = 0, high = (unsigned __int128)20 << 32;
    while (high - low > 1) {
      unsigned __int128 middle = (low + high) / 2, made = middle * middle;
      if (power == 2) { if (made > (unsigned __int128)p << 64) high = middle; else low = middle; }
      else { if (made * middle > (unsigned __int128)p << 96) high = middle; else low = middle; }
    }
    return (uint32_t)low;
  };
  uint32_t h[8], k[64];
  for (int i = 0; i < 8; i++) h[i] = root(primes[i], 2);
  for (int i = 0; i < 64; i++) k[i] = root(primes[i], 3);
  string all = text + '\x80';
  while (all.size() % 64 != 56) all += '\0';
  for (int i = 7; i >= 0; i--) all += (char)((uint64_t)text.size() * 8 >> (8 * i));
  auto turn = [](uint32_t x, int n) { return x >> n | x << (32 - n); };
  for (size_t at = 0; at < all.size(); at += 64) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++) { w[i] = 0; for (int j = 0; j < 4; j++) w[i] = w[i] << 8 | (unsigned char)all[at + 4 * i + j]; }
    for (int i = 16; i < 64; i++) w[i] = w[i - 16] + w[i - 7] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
      uint32_t one = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
      uint32_t two = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      for (int j = 7; j > 0; j--) s[j] = s[j - 1];
      s[4] += one; s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) h[i] += s[i];
  }
  string found; char digits[9];
  for (uint32_t each : h) { snprintf(digits, sizeof digits, "%08x", each); found += digits; }
  return found;
}

/* -- the module, in wasmtime: the wheel brings the library without its headers; this is as much of them as is used ------- */

extern "C" {
struct instance_t { uint64_t words[2]; };
struct extern_t { uint64_t kind, of[3]; };
struct value_t { uint8_t kind; union { int32_t i32; int64_t i64; uint64_t words[3]; } of; };
void *wasm_config_new(void);
void wasmtime_config_wasm_simd_set(void *config, bool on);
void wasmtime_config_wasm_relaxed_simd_set(void *config, bool on);
void *wasm_engine_new_with_config(void *config);
void *wasmtime_store_new(void *engine, void *data, void (*finalizer)(void *));
void *wasmtime_store_context(void *store);
void *wasmtime_module_new(void *engine, const uint8_t *code, size_t size, void **module);
void *wasmtime_instance_new(void *context, void *module, const extern_t *imports, size_t count, instance_t *made, void **trap);
bool wasmtime_instance_export_get(void *context, const instance_t *of, const char *name, size_t length, extern_t *found);
void *wasmtime_func_call(void *context, const void *func, const value_t *given, size_t count, value_t *got, size_t gets, void **trap);
uint8_t *wasmtime_memory_data(void *context, const void *memory);
}

static void need(bool holds, const string &what) { if (!holds) throw std::runtime_error(what); }

struct Fault : std::runtime_error { using std::runtime_error::runtime_error; };

static Value data; /* rules.json */
static void *context;
static instance_t instance;
static extern_t memory;

static i64 &word(uint64_t at) { return *(i64 *)(wasmtime_memory_data(context, memory.of) + at); }
static uint64_t layout(const char *name) { return (uint64_t)data["layout"][name].number; }
static uint64_t at(const char *name) { return (uint64_t)data["layout"]["at"][name].number; }
static bool is_block(i64 value) { return value > 0 && value & BLOCK; }
static vector<i64> block(i64 value) {
  i64 *first = &word((uint32_t)value);
  return vector<i64>(first + 1, first + 1 + first[0]);
}

static i64 call(const char *name, const char *kinds, char back, vector<i64> given) {
  static map<string, extern_t> known;
  auto found = known.find(name);
  if (found == known.end()) {
    extern_t made;
    need(wasmtime_instance_export_get(context, &instance, name, strlen(name), &made), name);
    found = known.emplace(name, made).first;
  }
  value_t arguments[8] = {}, got = {};
  for (size_t each = 0; kinds[each]; each++) {
    arguments[each].kind = kinds[each] == 'l';
    if (kinds[each] == 'l') arguments[each].of.i64 = given[each]; else arguments[each].of.i32 = (int32_t)given[each];
  }
  void *trap = nullptr, *error = wasmtime_func_call(context, found->second.of, arguments, strlen(kinds), &got, back != '-', &trap);
  if (error || trap) {
    i64 fault = word(at("fault"));
    word(at("fault")) = 0;
    throw Fault(fault ? data["faults"][(size_t)fault].text : string("a fault of this program in ") + name);
  }
  return back == 'l' ? got.of.i64 : got.of.i32;
}

static vector<uint8_t> copy_game() {
  size_t size = (size_t)(uint32_t)call("size_of_game", "", 'i', {});
  uint8_t *from = (uint8_t *)&word(layout("state"));
  return vector<uint8_t>(from, from + size);
}

static void put_back(const vector<uint8_t> &bytes) { memcpy(&word(layout("state")), bytes.data(), bytes.size()); }

/* -- values and notation -------------------------------------------------------------------------------------------------- */

static bool is(const Value &type, const char *name) { return type.is == Value::Text && type.text == name; }
static const Value *inside(const Value &type, const char *name) { return type.is == Value::Object ? type.find(name) : nullptr; }
static const Value &present(const Value &type) { auto inner = inside(type, "optional"); return inner ? present(*inner) : type; }
static const string &word_text(i64 place) { return data["words"][(size_t)place].text; }

static string notation(i64 roll);
struct Node {
  string kind; vector<i64> parts;
  explicit Node(i64 roll) {
    auto words = block(roll);
    kind = data["kinds_of_roll"][(size_t)words[0]].text;
    parts.assign(words.begin() + 3, words.end());
  }
  bool die() const { return kind == "pool" && parts[0] == 1; }
  bool bare_group() const { return kind == "group" && parts.size() == 2 && parts[0] > 1; }
  bool loose() const {
    static const set<string> kinds{"sum", "product", "multiplied", "comparison", "either", "named"};
    return kinds.count(kind) || bare_group() || (kind == "several" && !Node(parts[1]).die());
  }
};
static string die_name(i64 address) { return data["dice"][std::to_string(address)].text; }
static string in_brackets(i64 roll, bool are) { return are ? "(" + notation(roll) + ")" : notation(roll); }
static string term(i64 roll) { return in_brackets(roll, Node(roll).loose()); }
static string operand(i64 roll) { Node node(roll); return in_brackets(roll, node.loose() || node.kind == "negation" || (node.kind == "constant" && node.parts[0] < 0)); }
static string bare(i64 roll) { string kind = Node(roll).kind; return in_brackets(roll, kind == "either" || kind == "named"); }
static string side(i64 roll) { return Node(roll).kind == "comparison" ? in_brackets(roll, true) : bare(roll); }
static string joined(const vector<string> &texts, const string &between) {
  string found;
  for (size_t each = 0; each < texts.size(); each++) found += (each ? between : "") + texts[each];
  return found;
}
/* The words of rolls that the rules made while they played, by notation: those that are rolls as their notation. */
static map<string, vector<pair<i64, string>>> rolls_made;

static string notation_of(const Node &node);
static string notation(i64 roll) {
  if (auto known = data["rolls"].find(std::to_string((uint32_t)roll))) return known->text;
  string found = notation_of(Node(roll));
  if (!rolls_made.count(found)) {
    vector<pair<i64, string>> words;
    for (i64 each : block(roll)) words.emplace_back(each, is_block(each) ? notation(each) : "");
    words.at(1) = words.at(2) = {NONE, ""};
    rolls_made[found] = words;
  }
  return found;
}
static string notation_of(const Node &node) {
  auto &p = node.parts;
  const string &kind = node.kind;
  auto n = [&](size_t place) { return std::to_string(p[place]); };
  static const char *const COMPARED[] = {">", ">=", "<", "<=", "==", "!="};
  static const char *const ROUNDED[] = {"down", "up", "nearest", "truncate"};
  static const char *const MATCHED[] = {"alike", "sets", "different", "run"};
  vector<string> all;
  if (kind == "constant") return n(0);
  if (kind == "pool") return n(0) + die_name(p[1]);
  if (kind == "keep") return notation(p[0]) + (p[2] ? "kh" : "kl") + n(1);
  if (kind == "sum") {
    string found = term(p[0]);
    for (size_t each = 1; each < p.size(); each++) {
      Node inner(p[each]);
      if (inner.kind == "constant") found += inner.parts[0] < 0 ? " -" + std::to_string(-inner.parts[0]) : " +" + std::to_string(inner.parts[0]);
      else if (inner.kind == "negation") found += " - " + operand(inner.parts[0]);
      else found += " + " + term(p[each]);
    }
    return found;
  }
  if (kind == "negation") return "-" + operand(p[0]);
  if (kind == "product") return n(0) + " * " + operand(p[1]);
  if (kind == "maximum" || kind == "minimum") { for (i64 each : p) all.push_back(notation(each)); return (kind == "maximum" ? "max(" : "min(") + joined(all, ", ") + ")"; }
  if (kind == "comparison") return side(p[1]) + " " + COMPARED[p[0]] + " " + side(p[2]);
  if (kind == "absolute") return "abs(" + notation(p[0]) + ")";
  if (kind == "multiplied") { for (i64 each : p) all.push_back(operand(each)); return joined(all, " * "); }
  if (kind == "quotient") return string(ROUNDED[p[2]]) + "(" + operand(p[0]) + " / " + operand(p[1]) + ")";
  if (kind == "either") return bare(p[1]) + " if " + bare(p[0]) + " else " + notation(p[2]);
  if (kind == "variable") return word_text(p[0]);
  if (kind == "named") { for (size_t each = 2; each < p.size(); each++) all.push_back(word_text(p[each])); return bare(p[0]) + " as " + joined(all, ", ") + ": " + notation(p[1]); }
  if (kind == "several") { Node inner(p[1]); return inner.die() ? "(" + notation(p[0]) + ")" + die_name(inner.parts[1]) : operand(p[0]) + " times " + operand(p[1]); }
  if (kind == "group") {
    bool dice = p.size() > 2;
    for (size_t each = 1; each < p.size(); each += 2) dice = dice && Node(p[each]).die();
    for (size_t each = 0; each < p.size(); each += 2)
      all.push_back(dice ? n(each) + die_name(Node(p[each + 1]).parts[1]) : p[each] == 1 ? notation(p[each + 1]) : n(each) + " times " + operand(p[each + 1]));
    return node.bare_group() ? all[0] : "{" + joined(all, dice ? " + " : ", ") + "}";
  }
  if (kind == "trim") {
    Node pool(p[0]);
    i64 count = pool.parts[0];
    if (pool.kind == "group") { count = 0; for (size_t each = 0; each < pool.parts.size(); each += 2) count += pool.parts[each]; }
    string chosen = pool.bare_group() ? "{" + notation(p[0]) + "}" : notation(p[0]);
    if (p[1] && p[2]) return chosen + "dl" + n(1) + "dh" + n(2);
    return chosen + (p[1] ? "kh" : "kl") + std::to_string(count - p[1] - p[2]);
  }
  if (kind == "count") return "count(" + notation(p[1]) + " " + COMPARED[p[0]] + " " + notation(p[2]) + ")";
  return string(MATCHED[p[0]]) + "(" + notation(p[1]) + (p[2] ? ", " + n(2) : "") + ")";
}

static Value value(i64 found, const Value &type) {
  if (found == NONE) return {};
  if (type.null() || is(type, "number") || is(type, "nothing")) return found;
  if (is(type, "truth")) return found != 0;
  if (is(type, "choice") || is(type, "text")) return word_text(found);
  if (is(type, "dice")) return is_block(found) ? Value::roll(notation(found)) : Value(found);
  vector<Value> all;
  if (is(type, "ratio")) { for (i64 each : block(found)) all.push_back(each); return all; }
  if (auto inner = inside(type, "optional")) return value(found, *inner);
  if (auto table = inside(type, "row")) return data["tables"][table->text]["rows"][(size_t)found]["id"];
  if (auto inner = inside(type, "list")) { for (i64 each : block(found)) all.push_back(value(each, *inner)); return all; }
  if (inside(type, "map")) { for (i64 each : block(found)) all.push_back(value(each, type["of"])); return all; }
  if (inside(type, "record")) { auto words = block(found); for (size_t each = 0; each < words.size(); each++) all.push_back(value(words[each], type["parts"][each][1])); return all; }
  return found;
}

static i64 filled_block(const vector<i64> &words) {
  i64 made = call("new_block", "l", 'l', {(i64)words.size()});
  for (size_t each = 0; each < words.size(); each++) word((uint32_t)made + 8 + 8 * each) = words[each];
  return made;
}
static i64 roll_word(const string &text) {
  for (auto &each : data["rolls"].members) if (each.second.text == text) return BLOCK | std::stoll(each.first);
  vector<i64> words;
  for (auto &each : rolls_made.at(text)) words.push_back(each.second.empty() ? each.first : roll_word(each.second));
  return filled_block(words);
}
static i64 to_word(const Value &v, const Value &type) {
  const Value &kind = present(type);
  switch (v.is) {
    case Value::Null: return NONE;
    case Value::Bool: case Value::Int: return v.number;
    case Value::Text: {
      auto table = inside(kind, "row");
      const vector<Value> &all = table ? data["tables"][table->text]["rows"].list : data["words"].list;
      for (size_t each = 0; each < all.size(); each++) if ((table ? all[each]["id"].text : all[each].text) == v.text) return (i64)each;
      throw std::runtime_error("these rules do not know " + v.text);
    }
    case Value::Roll: return roll_word(v.text);
    default: break;
  }
  vector<i64> words;
  static const Value number("number");
  for (size_t each = 0; each < v.list.size(); each++) {
    auto list = inside(kind, "list"), of = inside(kind, "of"), parts = inside(kind, "parts");
    words.push_back(to_word(v.list[each], list ? *list : of ? *of : parts ? (*parts)[each][1] : number));
  }
  return filled_block(words);
}

/* -- the game in memory ---------------------------------------------------------------------------------------------------- */

struct Thing { size_t kind; vector<Value> values; };
typedef map<i64, Thing> Things;

static const Value &kind_at(size_t number) { return data["kinds"][number]; }
static const vector<Value> &fields_of(size_t kind) { return kind_at(kind)["fields"].list; }
static const Value *kind_named(const string &id) { for (auto &each : data["kinds"].list) if (each["id"].text == id) return &each; return nullptr; }

static Thing thing_at(size_t kind, uint64_t from) {
  Thing found{kind, {}};
  auto &fields = fields_of(kind);
  for (size_t each = 0; each < fields.size(); each++) found.values.push_back(value(word(from + 8 * each), fields[each]["type"]));
  return found;
}

static Things things() {
  Things found;
  found.emplace(0, thing_at(0, layout("game") + 8));
  for (i64 seat = 1; seat <= word(at("seats")); seat++) found.emplace(seat, thing_at(1, layout("players") + 8 * layout("player_size") * (uint64_t)(seat - 1) + 8));
  auto all = block(word(at("objects")));
  i64 made = word(at("made"));
  for (i64 number = 0; number < made && number < (i64)all.size(); number++)
    if (all[(size_t)number] != NONE) found[number] = thing_at((size_t)block(all[(size_t)number])[0], (uint32_t)all[(size_t)number] + 16);
  return found;
}

struct Frame { i64 step; vector<i64> slots; const Value *procedure; };
static const Value *step_at(i64 number) { return data["steps"].find(std::to_string(number)); }
static const Value &procedure_named(const string &id) { for (auto &each : data["procedures"].list) if (each["id"].text == id) return each; throw std::runtime_error(id); }

static vector<Frame> frames() {
  vector<Frame> found;
  if (word(at("mode")) == 3 && word(at("winners")) != NONE) return found;
  uint64_t place = layout("frames"), top = (uint64_t)word(at("frame"));
  const Value *procedure = &data["procedures"][(size_t)word(at("root"))];
  for (;;) {
    i64 size = (*procedure)["size"].number;
    Frame frame{word(place), {}, procedure};
    for (i64 slot = 1; slot <= size; slot++) frame.slots.push_back(word(place + 8 * (uint64_t)slot));
    found.push_back(frame);
    if (place >= top) return found;
    place += 8 * (uint64_t)(size + 1);
    procedure = &procedure_named((*step_at(frame.step))["calls"].text);
  }
}
static Value slot(const Frame &frame, i64 number) {
  auto type = (*frame.procedure)["slots"].find(std::to_string(number));
  return value(frame.slots.at((size_t)number - 1), type ? *type : Value());
}

static const Value &standing(const Value **stop) {
  uint64_t frame = (uint64_t)word(at("frame"));
  const Value &step = *step_at(word(frame));
  i64 place = 0;
  if (!step["hidden"].null() && step["stops"].list.size() > 1) place = word(frame + 8 * (uint64_t)step["hidden"].number);
  *stop = &step["stops"][place == NONE ? 0 : (size_t)place];
  return step;
}

/* Lays objects out without frames, to ask about them. */
static void lay_out(const Things &there) {
  uint64_t state = layout("state");
  for (int each = 0; each < 58; each++) word(state + 8 * (uint64_t)each) = 0;
  vector<vector<Value>> live(data["kinds"].list.size());
  i64 seats = 0, last = 0;
  size_t most = 0;
  for (auto &each : there) {
    if (each.first) live[each.second.kind].push_back(each.first);
    seats += each.second.kind == 1;
    last = std::max(last, each.first);
  }
  for (auto &each : live) most = std::max(most, each.size());
  i64 crowd = data["limits"]["crowd"].number, heap = (i64)layout("heap");
  word(at("top")) = word(at("clean")) = heap; word(at("limit")) = heap + 65536;
  word(at("made")) = last + 1; word(at("seats")) = seats; word(at("root")) = 0; word(at("work")) = data["limits"]["work"].number;
  word(at("crowd")) = std::max<i64>(1, ((i64)most + crowd - 1) / crowd);
  for (auto name : {"options", "roll", "answer", "winners", "given", "events"}) word(at(name)) = NONE;
  for (uint64_t each = 0; each < layout("kept_words"); each++) word(layout("kept") + 8 * each) = 0;
  static const Value number("number");
  for (size_t kind = 0; kind < live.size(); kind++) { i64 made = to_word(Value(live[kind]), number); word(layout("live") + 8 * kind) = made; }
  vector<i64> table((size_t)std::max<i64>(last + 1, 16), NONE);
  for (auto &each : there) {
    const Thing &thing = each.second;
    vector<i64> words;
    for (size_t place = 0; place < thing.values.size(); place++) words.push_back(to_word(thing.values[place], fields_of(thing.kind)[place]["type"]));
    uint64_t to;
    if (!each.first) to = layout("game") + 8;
    else if (thing.kind == 1) to = layout("players") + 8 * layout("player_size") * (uint64_t)(each.first - 1) + 8;
    else {
      i64 made = call("new_block", "l", 'l', {(i64)words.size() + 1});
      word((uint32_t)made + 8) = (i64)thing.kind;
      table[(size_t)each.first] = made;
      to = (uint32_t)made + 16;
    }
    for (size_t place = 0; place < words.size(); place++) word(to + 8 * place) = words[place];
  }
  i64 made = call("new_block", "l", 'l', {(i64)table.size()});
  for (size_t each = 0; each < table.size(); each++) word((uint32_t)made + 8 + 8 * each) = table[each];
  word(at("objects")) = made;
  made = call("new_block", "l", 'l', {64});
  word(at("events")) = made;
  word(at("frame")) = word(at("frames_end")) = (i64)layout("frames");
}

/* -- who sees what --------------------------------------------------------------------------------------------------------- */

static bool among(const vector<Value> &seers, i64 viewer, const Things &there) {
  auto in = [&](i64 player) { return std::find(seers.begin(), seers.end(), Value(player)) != seers.end(); };
  if (viewer) return in(viewer);
  for (auto &each : there) if (each.second.kind == 1 && !in(each.first)) return false;
  return true;
}

static i64 asked(const char *name, i64 one, i64 other) {
  i64 work = word(at("work")), crowd = word(at("crowd")), rule = word(at("rule"));
  auto back = [&] { word(at("work")) = work; word(at("crowd")) = crowd; word(at("rule")) = rule; };
  word(at("work")) = data["limits"]["work"].number;
  try { i64 found = call(name, "ll", 'l', {one, other}); back(); return found; } catch (Fault &) { back(); throw; }
}

/* Whether a viewer sees a field; the objects lie in memory. */
static bool sees(const Things &there, i64 viewer, i64 number, size_t place) {
  const Thing &thing = there.at(number);
  const Value &field = fields_of(thing.kind)[place];
  if (!field["hidden"].number) return true;
  if (field["viewers"].null()) return false;
  for (size_t other = 0; other < thing.values.size(); other++)
    if (fields_of(thing.kind)[other]["name"].text == "shown." + field["name"].text && among(thing.values[other].list, viewer, there)) return true;
  try {
    vector<Value> seers;
    for (i64 each : block(asked("seers_of", field["viewers"].number, number))) seers.push_back(each);
    return among(seers, viewer, there);
  } catch (Fault &) { return false; }
}

static bool sees_apart(const Things &there, i64 viewer, i64 number, size_t place) {
  auto kept = copy_game();
  lay_out(there);
  bool found = sees(there, viewer, number, place);
  put_back(kept);
  return found;
}

static Things as_seen(const Things &there, i64 viewer) {
  if (!data["hidden"].number) return there;
  auto kept = copy_game();
  lay_out(there);
  Things found = there;
  for (auto &each : found)
    for (size_t place = 0; place < each.second.values.size(); place++)
      if (!sees(there, viewer, each.first, place)) each.second.values[place] = Value::hidden();
  put_back(kept);
  return found;
}

/* -- phrases --------------------------------------------------------------------------------------------------------------- */

struct Part { enum Is { Text, Number, Dice, Name } is = Text; string text; i64 number = 0; string minus = "-"; vector<Part> inside; vector<string> of; string article; };
typedef vector<Part> Phrase;

static Part said(const string &text) { Part p; p.text = text; return p; }
static Part number(i64 n, const string &minus = "-") { Part p; p.is = Part::Number; p.number = n; p.minus = minus; return p; }
static Part dice(const string &text) { Part p; p.is = Part::Dice; p.text = text; return p; }
static Phrase name(Phrase inner, vector<string> of, const string &article = "") { Part p; p.is = Part::Name; p.inside = std::move(inner); p.of = std::move(of); p.article = article; return {p}; }
static void add(Phrase &to, const Part &part) { to.push_back(part); }
static void add(Phrase &to, const Phrase &more) { to.insert(to.end(), more.begin(), more.end()); }
static void add(Phrase &to, const string &text) { if (!text.empty()) to.push_back(said(text)); }
template <class... Each> static Phrase phrase(const Each &...each) { Phrase found; (add(found, each), ...); return found; }

static string text(const Phrase &all) {
  string found;
  for (auto &each : all) switch (each.is) {
    case Part::Text: found += each.text; break;
    case Part::Number: found += each.number < 0 ? each.minus + std::to_string(-each.number) : std::to_string(each.number); break;
    case Part::Dice: found += "🎲 " + each.text; break;
    case Part::Name: found += (each.article.empty() ? "" : each.article + " ") + text(each.inside);
  }
  return found;
}
/* The first character in another case, and what is behind it. */
static pair<string, string> first_in_case(const string &s, wint_t (*in_case)(wint_t)) {
  mbstate_t from{}, to{};
  wchar_t first;
  size_t length = mbrtowc(&first, s.data(), s.size(), &from);
  if (!length || length > s.size()) return {"", s};
  char bytes[MB_LEN_MAX];
  return {string(bytes, wcrtomb(bytes, (wchar_t)in_case((wint_t)first), &to)), s.substr(length)};
}
static string upper(const string &s) { auto parts = first_in_case(s, towupper); return parts.first + parts.second; }
static string lower_first(const string &s) { auto parts = first_in_case(s, towlower); return parts.first + parts.second; }
static string lower(string s) {
  string found;
  for (; !s.empty();) { auto parts = first_in_case(s, towlower); if (parts.first.empty()) break; found += parts.first; s = parts.second; }
  return found + s;
}
static string spaced(string s) { std::replace(s.begin(), s.end(), '_', ' '); return s; }
static string capitalized(const string &s) { return upper(lower(s)); }
static Phrase capital(Phrase all) {
  if (all.empty()) return all;
  Part &first = all[0];
  if (first.is == Part::Text) first.text = upper(first.text);
  else if (first.is == Part::Name) { if (first.article.empty()) first.inside = capital(first.inside); else first.article = upper(first.article); }
  return all;
}
static Phrase small(Phrase all) {
  if (all.empty()) return all;
  Part &first = all[0];
  if (first.is == Part::Text) first.text = lower_first(first.text);
  else if (first.is == Part::Name && first.article.empty() && first.of[0] == "kinds") first.inside = small(first.inside);
  return all;
}
static Phrase listed(const vector<Phrase> &all) {
  Phrase found;
  for (size_t each = 0; each < all.size(); each++) found = phrase(found, each ? each + 1 == all.size() ? " and " : ", " : "", all[each]);
  return found;
}
static string article(const string &noun) { return !noun.empty() && strchr("aeio", tolower((unsigned char)noun[0])) ? "an" : "a"; }
static Phrase ended(const Phrase &all) { string s = text(all); return !s.empty() && strchr(".!?", s.back()) ? all : phrase(all, "."); }
static const char *const ORDINALS[] = {"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"};
static string ordinal(size_t place) {
  if (place <= 10) return ORDINALS[place - 1];
  size_t tens = place % 100, ones = place % 10;
  bool teen = tens >= 11 && tens <= 13;
  return std::to_string(place) + (teen ? "th" : ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th");
}
static string numeral(size_t place) { return place <= 10 ? ORDINALS[place - 1] : "number " + std::to_string(place); }
static const string MINUS = "−";

struct Say {
  const Things &objects;
  const set<i64> &gone;
  Say(const Things &there, const set<i64> &left) : objects(there), gone(left) {}

  Phrase parts(const Value &all, i64 thing, const Thing *held, const map<string, Phrase> &given = {}) const {
    Phrase found;
    for (auto &each : all.list) {
      if (each.is == Value::Text) { found = phrase(found, each.text); continue; }
      if (auto n = each.find("number")) { auto minus = each.find("minus"); found = phrase(found, number(n->number, minus && minus->is == Value::Text ? minus->text : "-")); continue; }
      if (auto d = each.find("dice")) { found = phrase(found, dice(d->text)); continue; }
      if (auto inner = each.find("name")) {
        vector<string> of;
        for (auto &one : each["of"].list) of.push_back(one.text);
        found = phrase(found, name(parts(*inner, thing, held), of, each["article"].text));
        continue;
      }
      if (auto name = each.find("given")) {
        auto told = given.find(name->text);
        found = told == given.end() ? phrase(found, each["written"].text) : phrase(found, told->second);
        continue;
      }
      const string &own = each["own"].text;
      if (!held) found = phrase(found, each["written"].text);
      else if (own.empty()) found = phrase(found, object(held->kind, thing));
      else {
        int place = place_of(held->kind, own);
        found = place < 0 ? phrase(found, each["written"].text) : phrase(found, value(held->values[(size_t)place], fields_of(held->kind)[(size_t)place]["type"]));
      }
    }
    return found;
  }
  Phrase about(const string &written, i64 thing, const Thing *held) const {
    if (written.find_first_of("{}") == string::npos) return phrase(written);
    return parts(data["templates"][written], thing, held);
  }
  Phrase words(const string &written) const { return about(written, 0, nullptr); }
  Phrase sentence(const string &written, const map<string, Phrase> &given) const {
    if (written.empty()) return {};
    return capital(ended(written.find_first_of("{}") == string::npos ? phrase(written) : parts(data["templates"][written], 0, nullptr, given)));
  }
  static int place_of(size_t kind, const string &field) {
    auto &fields = fields_of(kind);
    for (size_t each = 0; each < fields.size(); each++) if (fields[each]["name"].text == field) return (int)each;
    return -1;
  }
  static bool is_term(const string &id) { return data["terms"].has(id); }
  static Phrase term(const string &id, bool plural = false) { return name(phrase(data["terms"][id][plural ? "plural" : "name"].text), {"terms", id}); }
  Phrase kind(const string &id) const { return is_term(id) ? term(id) : one_of(id); }
  Phrase one_of(const string &id) const {
    auto known = kind_named(id);
    auto one = known ? (*known)["said"].find("one") : nullptr;
    if (one) return name(words(one->text), {"kinds", id});
    return is_term(id) ? term(id) : phrase(capitalized(spaced(id)));
  }
  static string key(size_t kind, i64 thing) { return kind_at(kind)["id"].text + "-" + std::to_string(thing); }
  static Phrase player(i64 n) { return name(phrase("Player ", number(n)), {"objects", "player-" + std::to_string(n)}); }
  Phrase object(size_t kind, i64 thing) const {
    if (kind == 1) return player(thing);
    Phrase named = label(kind, thing);
    if (!named.empty()) return name(named, {"objects", key(kind, thing)});
    vector<i64> others;
    for (auto &each : objects) if (each.second.kind == kind && !gone.count(each.first)) others.push_back(each.first);
    auto place = std::find(others.begin(), others.end(), thing);
    if (place == others.end()) return new_object(kind, thing);
    Phrase one = one_of(kind_at(kind)["id"].text);
    return name(others.size() == 1 ? one : phrase(ordinal((size_t)(place - others.begin()) + 1) + " ", one), {"objects", key(kind, thing)}, "the");
  }
  Phrase new_object(size_t kind, i64 thing) const {
    Phrase named = label(kind, thing);
    if (!named.empty()) return name(named, {"objects", key(kind, thing)});
    Phrase one = one_of(kind_at(kind)["id"].text);
    return name(one, {"objects", key(kind, thing)}, article(text(one)));
  }
  Phrase label(size_t kind, i64 thing) const {
    auto held = objects.find(thing);
    if (held == objects.end()) return {};
    for (auto &each : kind_at(kind)["labels"].members) {
      const string &written = each.second.text;
      bool hides = false;
      if (auto named = data["named"].find(written))
        for (auto &one : named->list) { int place = place_of(kind, one.text); hides = hides || (place >= 0 && held->second.values[(size_t)place].is == Value::Hidden); }
      if (hides) continue;
      int place = place_of(kind, each.first);
      if (place < 0 || !held->second.values[(size_t)place].nothing()) return about(written, thing, &held->second);
    }
    return {};
  }
  Phrase row(const string &table, const string &id) const {
    for (auto &each : data["tables"][table]["rows"].list) if (each["id"].text == id) return name(words(each["title"].text), {"tables", table, id});
    throw std::runtime_error("no row " + id);
  }
  Phrase value(const Value &v, const Value &type) const {
    if (v.null()) return phrase("none");
    if (v.is == Value::Hidden) return phrase("hidden");
    if (auto inner = inside(type, "optional")) return value(v, *inner);
    auto thing = inside(type, "thing"), table = inside(type, "row"), list = inside(type, "list"), by = inside(type, "map"), record = inside(type, "record");
    if (thing && v.is == Value::Int) {
      size_t kind = 0;
      while (kind_at(kind)["id"].text != thing->text) kind++;
      return object(kind, v.number);
    }
    if (table && v.is == Value::Text) return row(table->text, v.text);
    if (is(type, "choice")) return phrase(spaced(v.text));
    if (list) { vector<Phrase> all; for (auto &each : v.list) all.push_back(value(each, *list)); return all.empty() ? phrase("nothing") : listed(all); }
    if (by) {
      vector<Phrase> all;
      for (size_t each = 0; each < v.list.size(); each++)
        if (!v.list[each].nothing() || v.list.size() <= 12) all.push_back(phrase(row(by->text, data["tables"][by->text]["rows"][each]["id"].text), " ", value(v.list[each], type["of"])));
      return all.empty() ? phrase("nothing") : listed(all);
    }
    if (record) {
      const Value &declared = data["records"][record->text];
      map<string, Phrase> told;
      for (size_t each = 0; each < v.list.size(); each++) if (!v.list[each].null()) told[type["parts"][each][0].text] = value(v.list[each], type["parts"][each][1]);
      if (!declared["label"].null()) {
        Phrase found, before;
        for (auto &each : declared["label"].list) {
          auto own = each.is == Value::Object ? each.find("own") : nullptr;
          if (!own) { before = phrase(before, parts(Value(vector<Value>{each}), 0, nullptr)); continue; }
          if (told.count(own->text)) found = phrase(found, before, told[own->text]);
          before = {};
        }
        return phrase(found, before);
      }
      Phrase inner;
      for (auto &each : type["parts"].list) {
        const string &part = each[0].text;
        if (!told.count(part)) continue;
        auto called = declared["called"].find(part);
        Phrase named = called && !called->text.empty() ? words(called->text) : is_term(part) ? kind(part) : small(kind(part));
        inner = phrase(inner, inner.empty() ? "" : ", ", named, " ", told[part]);
      }
      auto one = declared["said"].find("one");
      return phrase(one && !one->text.empty() ? words(one->text) : phrase(spaced(record->text)), " (", inner, ")");
    }
    if (v.is == Value::Bool) return phrase(v.number ? "yes" : "no");
    if (v.is == Value::Int) return phrase(number(v.number));
    return v.is == Value::Roll ? phrase(dice(v.text)) : phrase(v.text);
  }
  Phrase choice(const string &id) const { return is_term(id) ? term(id) : phrase(upper(spaced(id))); }
  Phrase procedure(const string &id) const {
    const string &title = procedure_named(id)["title"].text;
    return name(title.empty() ? phrase(capitalized(spaced(id))) : words(title), {"procedures", id});
  }
  static Phrase so_many(i64 n, const string &of) { return is_term(of) ? phrase(number(n), " ", term(of, n != 1)) : phrase(number(n), " ", spaced(of)); }
  Phrase field(size_t kind_number, const string &of) const {
    const string &id = kind_at(kind_number)["id"].text;
    Phrase found;
    int place = place_of(kind_number, of);
    if (place >= 0) {
      const Value &known = fields_of(kind_number)[(size_t)place];
      auto counted = is(known["type"], "number") && kind_number ? data["counted"].find(of) : nullptr;
      found = words(known["said"].text);
      if (found.empty() && counted) found = term(counted->text, true);
    }
    if (found.empty()) found = is_term(of) ? kind(of) : small(kind(of));
    return name(found, {"kinds", id, of});
  }
  Phrase amount(size_t kind_number, const string &of, i64 n) const {
    const Value &known = fields_of(kind_number)[(size_t)place_of(kind_number, of)];
    Phrase unit = words(n == 1 ? known["one"].text : known["unit"].text.empty() ? known["said"].text : known["unit"].text);
    if (unit.empty()) { auto counted = data["counted"].find(of); unit = counted ? term(counted->text, n != 1) : phrase(lower(text(kind(of)))); }
    return phrase(number(n, MINUS), " ", name(unit, {"kinds", kind_at(kind_number)["id"].text, of}));
  }
  Phrase field_in_words(i64 thing, size_t place) const {
    auto held = objects.find(thing);
    if (held == objects.end()) return {};
    const Value &v = held->second.values[place], &known = fields_of(held->second.kind)[place];
    Phrase named = field(held->second.kind, known["name"].text);
    if (v.is == Value::Hidden) return phrase("hidden ", named);
    if (v.null() || v.empty_list()) return phrase("no ", named);
    if (v.is == Value::Bool) return v.number ? named : phrase("not ", named);
    return phrase(named, " ", value(v, known["type"]));
  }
};

/* -- ids, labels, decisions, views ------------------------------------------------------------------------------------------- */

static const set<i64> NOBODY;

static string identity(const Value &v, const Value &type) {
  if (v.null()) return "none";
  if (auto inner = inside(type, "optional")) return identity(v, *inner);
  if (auto thing = inside(type, "thing")) return thing->text + "-" + std::to_string(v.number);
  vector<string> all;
  if (auto inner = inside(type, "list")) { for (auto &each : v.list) all.push_back(identity(each, *inner)); return all.empty() ? "nothing" : joined(all, "+"); }
  if (inside(type, "record")) { for (size_t each = 0; each < v.list.size(); each++) all.push_back(identity(v.list[each], type["parts"][each][1])); return joined(all, "/"); }
  if (v.is == Value::Bool) return v.number ? "True" : "False";
  return v.is == Value::Int ? std::to_string(v.number) : v.text;
}

static Value plain(const Value &v, const Value &type) {
  if (v.null()) return {};
  if (auto inner = inside(type, "optional")) return plain(v, *inner);
  if (inside(type, "thing")) return identity(v, type);
  Value found = Value::object();
  if (auto inner = inside(type, "list")) { vector<Value> all; for (auto &each : v.list) all.push_back(plain(each, *inner)); return all; }
  if (auto table = inside(type, "map")) { for (size_t each = 0; each < v.list.size(); each++) found.put(data["tables"][table->text]["rows"][each]["id"].text, plain(v.list[each], type["of"])); return found; }
  if (inside(type, "record")) { for (size_t each = 0; each < v.list.size(); each++) found.put(type["parts"][each][0].text, plain(v.list[each], type["parts"][each][1])); return found; }
  return v.is == Value::Roll ? Value(v.text) : v;
}

static vector<string> numbered(vector<string> all) {
  map<string, size_t> counts, seen;
  for (auto &each : all) counts[each]++;
  for (auto &each : all) if (counts[each] > 1) { size_t place = ++seen[each]; each += " (" + numeral(place) + ")"; }
  return all;
}

static string called(const Value &v, const Value &type, const Say &say, const map<i64, string> *own) {
  if (v.null()) return "None of these";
  if (is(type, "choice")) return text(say.choice(v.text));
  if (inside(type, "thing") && own) return own->at(v.number);
  if (auto inner = inside(type, "list")) { vector<string> all; for (auto &each : v.list) all.push_back(called(each, *inner, say, own)); return all.empty() ? "Nothing" : joined(all, ", "); }
  return text(say.value(v, type));
}

static vector<string> differences(const vector<i64> &group, size_t kind, const Say &say) {
  vector<vector<string>> columns, taken;
  for (size_t place = 0; place < fields_of(kind).size(); place++) {
    vector<string> column;
    for (i64 each : group) column.push_back(text(say.field_in_words(each, place)));
    if (set<string>(column.begin(), column.end()).size() > 1) columns.push_back(column);
  }
  auto classes = [&](const vector<vector<string>> &those) {
    set<vector<string>> found;
    for (size_t each = 0; each < group.size(); each++) { vector<string> line; for (auto &column : those) line.push_back(column[each]); found.insert(line); }
    return found.size();
  };
  while (!columns.empty() && classes(taken) < group.size()) {
    size_t best = 0, most = 0;
    for (size_t each = 0; each < columns.size(); each++) { auto with = taken; with.push_back(columns[each]); size_t n = classes(with); if (n > most) { most = n; best = each; } }
    if (most == classes(taken)) break;
    taken.push_back(columns[best]);
    columns.erase(columns.begin() + (long)best);
  }
  vector<string> found;
  map<string, size_t> counts, seen;
  for (size_t each = 0; each < group.size(); each++) {
    vector<string> texts;
    for (auto &column : taken) if (!column[each].empty()) texts.push_back(column[each]);
    found.push_back(joined(texts, ", "));
    counts[found.back()]++;
  }
  for (auto &each : found) if (counts[each] > 1) { size_t place = ++seen[each]; each += (each.empty() ? "" : ", ") + numeral(place); }
  return found;
}

static vector<string> option_labels(const vector<Value> &values, const Value &answer, const Say &say) {
  const Value *optional = inside(answer, "optional"), &type = optional ? *optional : answer;
  auto all = [&](const map<i64, string> *own) { vector<string> found; for (auto &each : values) found.push_back(called(each, type, say, own)); return found; };
  vector<string> found = all(nullptr);
  if (set<string>(found.begin(), found.end()).size() == found.size()) return found;
  const Value *list = inside(type, "list"), &inner = list ? *list : type;
  auto thing = inside(inner, "thing");
  if (!thing) return found;
  vector<i64> things;
  auto add = [&](const Value &each) { if (each.is == Value::Int && std::find(things.begin(), things.end(), each.number) == things.end()) things.push_back(each.number); };
  for (auto &each : values) { if (each.is == Value::List) for (auto &one : each.list) add(one); else add(each); }
  vector<pair<string, vector<i64>>> groups;
  for (i64 each : things) {
    string own = text(say.value(each, inner));
    auto place = std::find_if(groups.begin(), groups.end(), [&](auto &group) { return group.first == own; });
    if (place == groups.end()) groups.push_back({own, {each}}); else place->second.push_back(each);
  }
  size_t kind = 0;
  while (kind_at(kind)["id"].text != thing->text) kind++;
  map<i64, string> own;
  for (auto &group : groups) {
    vector<string> more = group.second.size() > 1 ? differences(group.second, kind, say) : vector<string>{""};
    for (size_t each = 0; each < more.size(); each++) own[group.second[each]] = more[each].empty() ? group.first : group.first + " (" + more[each] + ")";
  }
  return own.empty() ? found : all(&own);
}

static Value decision() {
  if (word(at("mode")) != 1) return {};
  const Value *stop, &step = standing(&stop);
  i64 who = word(at("who"));
  Things there = things(), known = as_seen(there, who);
  Say say(known, NOBODY);
  auto words = block(word(at("options")));
  vector<Value> values = value(word(at("options")), (*stop)["options"]).list;
  const Value &answer = (*stop)["answer"];
  vector<string> labels = option_labels(values, answer, say);
  for (size_t each = 0; each < values.size(); each++) {
    const Value &v = values[each];
    auto none = v.null() || v.empty_list() ? step["words"].find("none") : nullptr;
    auto offer = v.is == Value::Text ? (*stop)["offers"].find(v.text) : nullptr;
    string own = none ? text(say.words(none->text)) : offer ? text(say.words(offer->text)) : "";
    if (!own.empty()) labels[each] = own;
    if (v.null()) continue;
    auto costs_of = v.is == Value::Text ? (*stop)["costs_of"].find(v.text) : nullptr;
    vector<string> costs;
    for (auto &cost : (costs_of ? *costs_of : (*stop)["costs"]).list) {
      i64 now = block(word(at("options")))[each]; /* blocks move */
      i64 amount = asked("cost_of", cost[1].number, now);
      if (amount) costs.push_back(text(Say::so_many(amount, cost[0].text)));
    }
    if (!costs.empty()) labels[each] += " (" + joined(costs, ", ") + ")";
  }
  labels = numbered(labels);
  vector<Value> options, about;
  for (size_t each = 0; each < values.size(); each++) { Value option = Value::object(); option.put("id", identity(values[each], step["ids"])); option.put("label", labels[each]); options.push_back(option); }
  Frame frame = frames().back();
  set<i64> told{who};
  for (auto &each : step["about"].list) {
    Value v = slot(frame, each[0].number);
    const Value &type = each[2];
    if (v.null()) continue;
    Value subject = Value::object();
    subject.put("name", each[1]);
    if (auto table = inside(type, "row")) { subject.put("kind", *table); subject.put("id", v); subject.put("label", text(say.row(table->text, v.text))); }
    else if (!told.count(v.number) && there.count(v.number)) {
      told.insert(v.number);
      subject.put("kind", type["thing"]); subject.put("id", identity(v, type)); subject.put("label", text(say.value(v, type)));
    } else continue;
    about.push_back(subject);
  }
  Value found = Value::object();
  found.put("player", who); found.put("ask", step["ask"]); found.put("rule", step["rule"]); found.put("about", about); found.put("options", options);
  return found;
}

static Value view(i64 seat) {
  Things known = as_seen(things(), seat);
  Say say(known, NOBODY);
  Value found = Value::object();
  for (auto &each : known) {
    Value fields = Value::object(), object = Value::object();
    for (size_t place = 0; place < each.second.values.size(); place++) {
      const Value &field = fields_of(each.second.kind)[place];
      if (each.second.values[place].is != Value::Hidden && field["name"].text.rfind("options.", 0) != 0) fields.put(field["name"].text, plain(each.second.values[place], field["type"]));
    }
    object.put("label", each.first ? text(say.object(each.second.kind, each.first)) : "");
    object.put("fields", fields);
    found.put(each.first ? Say::key(each.second.kind, each.first) : "game", object);
  }
  return found;
}

/* -- the log ----------------------------------------------------------------------------------------------------------------- */

struct Event { const Value *site; vector<Value> details; };
static const Value PLAYER = [] { Value v = Value::object(); v.put("thing", "player"); return v; }();
static const Value PLAYERS = [] { Value v = Value::object(); v.put("list", PLAYER); return v; }();
static Value optional(const Value &type) { if (inside(type, "optional")) return type; Value v = Value::object(); v.put("optional", type); return v; }
static Value of_kind(const string &kind) { Value v = Value::object(); v.put("thing", kind); return v; }

static vector<Event> take_events() {
  vector<Event> found;
  i64 told = word(at("told"));
  auto words = block(word(at("events")));
  for (size_t place = 0; (i64)place < told;) {
    const Value &site = data["events"][(size_t)words[place++]];
    Event event{&site, {}};
    for (auto &type : site["details"].list) {
      if (auto whole = inside(type, "whole")) {
        auto held = block(words[place++]);
        auto &fields = (*kind_named(whole->text))["fields"].list;
        vector<Value> all{held[0]};
        for (size_t each = 0; each < fields.size(); each++) all.push_back(value(held[each + 1], fields[each]["type"]));
        event.details.push_back(all);
      } else event.details.push_back(value(words[place++], type));
    }
    found.push_back(event);
  }
  word(at("told")) = 0;
  return found;
}

/* Tells events one after the other. `viewer` is who is told: below 0, whoever is told everything. */
struct Chronicle {
  Things objects, seen;
  set<i64> gone;
  bool set_up = true;
  i64 viewer;
  Chronicle(Things first, i64 who) : objects(std::move(first)), viewer(data["hidden"].number ? who : -1) {}
  const Things &shown() const { return viewer < 0 ? objects : seen; }
  void look() {
    Things there;
    for (auto &each : objects) if (!gone.count(each.first)) there.insert(each);
    seen = as_seen(there, viewer);
    for (auto &each : objects) if (!seen.count(each.first)) seen.insert(each);
  }
  static size_t row_place(const Value &type, const string &row) {
    auto &rows = data["tables"][type["map"].text]["rows"].list;
    size_t place = 0;
    while (rows[place]["id"].text != row) place++;
    return place;
  }
  void change(i64 thing, const string &field, const Value &v, const Value *row) {
    Thing &held = objects.at(thing);
    size_t place = (size_t)Say::place_of(held.kind, field);
    int told = Say::place_of(held.kind, "shown." + field); /* whoever was shown the old value was not shown this one */
    if (told >= 0) held.values[(size_t)told] = Value(vector<Value>{});
    if (row) held.values[place].list[row_place(fields_of(held.kind)[place]["type"], row->text)] = v; else held.values[place] = v;
  }

  Value tell(const Event &event) {
    const Value &site = *event.site;
    const string &told = site["event"].text;
    const Value &step = *step_at(site["step"].number);
    vector<Value> d = event.details;
    bool of_thing = told == "written" && site["thing"].number;
    size_t base = of_thing ? 1 : 0;
    Value row_value, real_row;
    const Value *row = nullptr;
    if (told == "created") { Thing made{(size_t)d[1].list[0].number, {}}; made.values.assign(d[1].list.begin() + 1, d[1].list.end()); objects[d[0].number] = made; }
    if (told == "written" && d.size() > base + 2) { row_value = real_row = d[base + 2]; row = &row_value; }
    Value real = told == "written" ? d[base + 1] : Value();
    bool untold = false; /* which object has changed is a secret */
    if (site["seen"].number) {
      vector<Value> seers = d.back().list;
      d.pop_back();
      if (viewer >= 0 && !among(seers, viewer, objects)) {
        d.back() = Value::hidden();
        if (auto secret = site.find("secret")) if (secret->number) d[0] = Value::hidden();
      }
    }
    if (viewer >= 0) {
      look();
      if (of_thing) {
        i64 thing = d[0].number;
        const string &field = site["name"].text;
        size_t place = (size_t)Say::place_of(objects.at(thing).kind, field);
        bool before = sees_apart(there(), viewer, thing, place);
        change(thing, field, real, row);
        bool after = sees_apart(there(), viewer, thing, place);
        if (field.rfind("shown.", 0) == 0) look();
        if (!before || (row && !after)) d[1] = Value::hidden();
        if (!after) { d[2] = Value::hidden(); row = nullptr; }
        string plain_field = field.rfind("shown.", 0) == 0 ? field.substr(6) : field;
        untold = site["secret"].number && !sees_apart(there(), viewer, thing, (size_t)Say::place_of(objects.at(thing).kind, plain_field));
        if (untold) { d[1] = d[2] = Value::hidden(); row = nullptr; }
      } else if (told == "written") {
        auto &hidden = procedure_named(step["procedure"].text)["hidden"].list;
        if (std::find(hidden.begin(), hidden.end(), site["name"]) != hidden.end()) { d[0] = d[1] = Value::hidden(); row = nullptr; }
      }
    }
    set_up = set_up && told != "asked";
    Say say(shown(), gone);
    Value facts = Value::object();
    auto fact = [&](const char *called, const Value &v, const Value &type) { if (v.is != Value::Hidden) facts.put(called, plain(v, type)); };
    string weight = "normal";
    Phrase sentence;
    auto type = site.find("type");
    if (told == "asked") { fact("player", d[0], PLAYER); fact("chosen", d[1], *type); sentence = phrase(alone(*type, d[1]) ? question(say, step) : Phrase{}, answered(say, step, site, d[0].number, d[1])); }
    else if (told == "revealed") {
      fact("players", d[0], PLAYERS); fact("chosen", d[1], *type);
      sentence = revealed(say, step, site, d);
    } else if (told == "rolled") {
      fact("roll", d[0], "dice"); fact("total", d[1], "number");
      const Value &table = site["table"];
      Phrase rolled = say.value(d[0], "dice");
      if (d[0].is == Value::Hidden) sentence = phrase("Dice are rolled, face down.");
      else if (d[1].is == Value::Hidden) sentence = phrase(rolled, " is rolled, face down.");
      else if (table.null()) sentence = phrase(rolled, " comes to ", number(d[1].number), ".");
      else {
        const Value &came = data["tables"][table.text]["faces"][std::to_string(d[1].number)];
        facts.put("row", came);
        sentence = phrase(rolled, " comes to ", number(d[1].number), ": ", say.row(table.text, came.text), ".");
      }
    } else if (told == "drawn") {
      fact("card", d[0], *type);
      sentence = d[0].is == Value::Hidden ? phrase(site["deck"].number ? "A card is drawn, face down." : "Lots are drawn, face down.") : phrase(say.value(d[0], *type), " is drawn.");
    } else if (told == "created") {
      i64 thing = d[0].number;
      const Thing &made = shown().at(thing);
      fact("object", d[0], of_kind(site["kind"].text));
      Value fields = Value::object();
      for (size_t place = 0; place < made.values.size(); place++)
        if (made.values[place].is != Value::Hidden) fields.put(fields_of(made.kind)[place]["name"].text, plain(made.values[place], fields_of(made.kind)[place]["type"]));
      facts.put("fields", fields);
      Phrase named = capital(say.new_object(made.kind, thing));
      if (!own_words(say, made.kind, thing, "comes", step, sentence)) sentence = phrase(named, several(named) ? " come" : " comes", " into play.");
    } else if (told == "removed") {
      fact("object", d[0], *type);
      Phrase named = capital(say.value(d[0], *type));
      if (!inside(*type, "thing") || !own_words(say, objects.at(d[0].number).kind, d[0].number, "goes", step, sentence)) sentence = phrase(named, several(named) ? " leave" : " leaves", " play.");
    } else if (told == "written") {
      Value maybe = optional(*type);
      Value object = untold ? Value::hidden() : of_thing ? d[0] : Value();
      fact("object", object, optional(of_kind(site["kind"].text)));
      facts.put("field", site["name"]);
      fact("before", d[base], maybe); fact("after", d[base + 1], maybe);
      if (row) facts.put("row", *row);
      bool both = d[base].is == Value::Hidden && d[base + 1].is == Value::Hidden;
      const string &id = step["id"].text, into = ".into";
      bool stored = id.size() >= into.size() && id.compare(id.size() - into.size(), into.size(), into) == 0;
      stored = stored && site["name"].text.rfind("shown.", 0) != 0;
      if (!of_thing || untold || (!both && d[base] == d[base + 1] && !stored)) weight = "aside";
      if (!untold) sentence = wrote(say, step, site, of_thing ? d[0].number : -1, d[base], d[base + 1], row);
    } else if (told == "announced") {
      map<string, Phrase> given;
      bool known = true;
      for (size_t each = 0; each < d.size(); each++) {
        if (viewer >= 0 && site["secrets"][each].number) { known = false; continue; }
        const string &called = site["names"][each].text;
        fact(called.c_str(), d[each], site["details"][each]);
        given[called] = say.value(d[each], site["details"][each]);
      }
      if (known) sentence = say.sentence(site["text"].text, given);
    } else if (told == "finished") {
      weight = "major";
      fact("winners", d[0], PLAYERS);
      Phrase all;
      for (size_t each = 0; each < d[0].list.size(); each++) all = phrase(all, each ? " and " : "", Say::player(d[0].list[each].number));
      sentence = all.empty() ? phrase("The game is over, and nobody has won.") : phrase("The game is over: ", all, d[0].list.size() == 1 ? " wins." : " win.");
    } else {
      weight = "detail";
      if (told == "called") sentence = phrase(say.procedure(site["procedure"].text), ".");
    }
    Value found = Value::object();
    found.put("rule", step["rule"]); found.put("verb", step["verb"]); found.put("weight", weight); found.put("set_up", set_up);
    found.put("text", text(sentence)); found.put("data", facts);
    if (told == "removed" && inside(*type, "thing")) {
      if (viewer >= 0) objects.at(d[0].number) = seen.at(d[0].number); /* later events still name it, as the seat saw it */
      gone.insert(d[0].number);
    }
    if (of_thing) change(d[0].number, site["name"].text, real, real_row.null() ? nullptr : &real_row);
    return found;
  }
  Things there() const { Things found; for (auto &each : objects) if (!gone.count(each.first)) found.insert(each); return found; }

  static bool several(const Phrase &all) {
    vector<Part> leaves;
    flatten(all, leaves);
    return leaves.size() > 1 && leaves[0].is == Part::Number && leaves[0].number >= 0 && leaves[0].number != 1 && leaves[1].is == Part::Text && leaves[1].text[0] == ' ';
  }
  static void flatten(const Phrase &all, vector<Part> &to) {
    for (auto &each : all) {
      if (each.is != Part::Name) { to.push_back(each); continue; }
      if (!each.article.empty()) to.push_back(said(each.article + " "));
      flatten(each.inside, to);
    }
  }
  static bool alone(const Value &type, const Value &v) { return v.is != Value::Hidden && (v.null() || v.empty_list() || is(present(type), "number") || is(present(type), "truth")); }
  static Phrase question(const Say &say, const Value &step) {
    auto ask = step["words"].find("ask"), title = step["words"].find("title");
    Phrase found = say.words(ask && !ask->text.empty() ? ask->text : title ? title->text : "");
    return found.empty() ? found : phrase(ended(found), " ");
  }
  static Phrase answered(const Say &say, const Value &step, const Value &site, i64 who, const Value &v) {
    Phrase player = Say::player(who);
    if (v.is == Value::Hidden) return phrase(player, " has chosen.");
    bool none = v.null() || v.empty_list();
    const Value *label = none ? step["words"].find("none") : v.is == Value::Text ? site["offers"].find(v.text) : nullptr;
    if (label && !label->text.empty()) return ended(phrase(player, " chooses: ", say.words(label->text)));
    if (none) return phrase(player, " chooses none.");
    const Value &type = present(site["type"]);
    if (is(type, "choice")) return ended(phrase(player, " chooses: ", say.choice(v.text)));
    return phrase(player, " chooses ", say.value(v, type), ".");
  }
  static Phrase revealed(const Say &say, const Value &step, const Value &site, const vector<Value> &d) {
    vector<string> told;
    bool asks = true;
    for (size_t each = 0; each < d[0].list.size(); each++) {
      const Value &v = d[1].is == Value::Hidden ? d[1] : d[1].list[each];
      told.push_back(text(answered(say, step, site["asked"], d[0].list[each].number, v)));
      asks = asks && alone(site["asked"]["type"], v);
    }
    return told.empty() ? Phrase{} : phrase(asks ? question(say, step) : Phrase{}, "All have chosen. ", joined(told, " "));
  }
  /* The rules' own words for what comes and goes; whether there are any. */
  static bool own_words(const Say &say, size_t kind, i64 thing, const char *way, const Value &step, Phrase &to) {
    auto tells = step["words"].find("tells");
    if (!tells) tells = kind_at(kind)["tells"].find(way);
    if (!tells) return false;
    to = tells->text.empty() ? Phrase{} : capital(ended(say.about(tells->text, thing, &say.objects.at(thing))));
    return true;
  }
  static bool change_words(const Say &say, i64 thing, const Value &field, const Value &v, Phrase &to) {
    auto words = field["tells"].find(v.nothing() && v.is != Value::Hidden ? "fails" : "holds");
    if (!words) return false;
    to = {};
    if (words->text.empty()) return true;
    Thing held = say.objects.at(thing);
    held.values[(size_t)Say::place_of(held.kind, field["name"].text)] = v;
    to = capital(ended(say.about(words->text, thing, &held)));
    return true;
  }
  static Phrase belonging(const Phrase &owner, const Phrase &noun) {
    std::istringstream words(text(owner));
    string each; int count = 0;
    while (words >> each) count++;
    return count < 3 ? phrase(owner, "’s ", noun) : phrase("the ", noun, " of ", owner);
  }
  static Phrase one(const Phrase &noun) {
    string s = text(noun);
    for (auto &each : data["terms"].members) if (lower(each.second["name"].text) == lower(s) && lower(each.second["plural"].text) == lower(s)) return noun;
    return phrase(article(s) + " ", noun);
  }
  static string called_in(const Value &step, const string &of) {
    auto called = procedure_named(step["procedure"].text)["called"].find(of);
    return called ? called->text : "";
  }
  static Phrase noted(const Say &say, const string &of, const Value &v, const Value &type, const Value *step) {
    string own = step ? called_in(*step, of) : "";
    Phrase place = own.empty() ? capital(say.kind(of)) : phrase("The ", say.words(own));
    if (v.is == Value::Bool) {
      auto clauses = step ? procedure_named((*step)["procedure"].text)["clauses"].find(of) : nullptr;
      if (clauses) return phrase(capital(say.words((*clauses)[v.number ? "holds" : "fails"].text)), ".");
      return phrase(place, v.number ? " now holds." : " does not hold.");
    }
    if (inside(type, "list")) return phrase(place, ", now: ", say.value(v, type), ".");
    return phrase(place, own.empty() ? " is now " : " becomes ", say.value(v, type), ".");
  }
  static bool grew(const string &signs, i64 change) {
    for (char sign : signs) if (sign == '+' ? change >= 0 : change <= 0) return sign == '+';
    return signs[0] == '+';
  }
  static Phrase wrote(const Say &say, const Value &step, const Value &site, i64 thing, const Value &before, const Value &after, const Value *row) {
    const string &of = site["name"].text, &by = site["by"].text;
    const Value &type = site["type"];
    if (thing < 0) {
      if (of.rfind("shown.", 0) != 0) {
        if (after.is == Value::Hidden) return {};
        if (!row) return noted(say, of, after, type, &step);
        string own = called_in(step, of);
        return phrase("The ", own.empty() ? small(say.kind(of)) : say.words(own), " for ", say.row(site["table"].text, row->text), " becomes ", say.value(after, type), ".");
      }
    }
    size_t kind = say.objects.at(thing).kind;
    bool game = kind == 0;
    Phrase object = game ? Phrase{} : say.object(kind, thing);
    if (of.rfind("shown.", 0) == 0) {
      vector<Value> learnt;
      for (auto &each : after.list) if (std::find(before.list.begin(), before.list.end(), each) == before.list.end()) learnt.push_back(each);
      if (learnt.empty()) return {};
      string field = of.substr(6);
      Phrase noun = say.field(kind, field), whose = game ? phrase("the ", noun) : belonging(object, noun);
      size_t place = (size_t)Say::place_of(kind, field);
      const Value &held = say.objects.at(thing).values[place];
      bool everybody = learnt.size() > 1 && among(learnt, 0, say.objects);
      Phrase sees = everybody ? phrase("everybody sees ", whose) : phrase(say.value(learnt, PLAYERS), learnt.size() > 1 ? " see " : " sees ", whose);
      return capital(held.is == Value::Hidden ? phrase(sees, ".") : phrase(sees, ": ", say.value(held, fields_of(kind)[place]["type"]), "."));
    }
    const Value &field = fields_of(kind)[(size_t)Say::place_of(kind, of)];
    auto holds = field["tells"].find("holds"), fails = field["tells"].find("fails");
    Phrase own;
    if (after.is == Value::Hidden) {
      if (holds && fails && holds->text == fails->text && change_words(say, thing, field, after, own)) return own;
      Phrase noun = say.field(kind, of);
      return game ? phrase("The ", noun, " may have changed.") : phrase(capital(belonging(object, noun)), " may have changed.");
    }
    if (row) {
      Phrase named = say.row(site["table"].text, row->text);
      if (holds && holds->text.empty()) return {};
      if (!by.empty() && !game && before.is != Value::Hidden) {
        bool more = grew(by, after.number - before.number);
        i64 n = more ? after.number - before.number : before.number - after.number;
        if (!n) return phrase(capital(object), more ? " gains nothing." : " pays nothing.");
        Phrase amount = field["unit"].text.empty() ? phrase(number(n, MINUS), " ", named) : phrase(say.amount(kind, of, n), " for ", named);
        return phrase(capital(object), more ? " gains " : " pays ", amount, more ? " and now has " : " and has ", number(after.number), more ? "." : " left.");
      }
      Phrase noun = phrase(say.field(kind, of), " for ", named);
      Phrase place = game ? phrase("the ", noun) : belonging(capital(object), noun);
      return phrase(capital(place), " is now ", say.value(after, type), ".");
    }
    if (of.rfind("options.", 0) == 0) {
      string option = of.substr(8);
      const Value &known = data["options"][option];
      return phrase(say.words(known["title"].text), ": ", say.words(known["choices"][after.text].text), ".");
    }
    if (change_words(say, thing, field, after, own)) return own;
    if (!by.empty() && before.is != Value::Hidden) {
      bool more = grew(by, after.number - before.number);
      i64 n = more ? after.number - before.number : before.number - after.number;
      Phrase who = game ? say.object(kind, thing) : object;
      if (!n) return phrase(capital(who), more ? " gains nothing." : " pays nothing.");
      return phrase(capital(who), more ? " gains " : " pays ", say.amount(kind, of, n), more ? " and now has " : " and has ", number(after.number), more ? "." : " left.");
    }
    if (inside(type, "list") && before.is == Value::List && after.is == Value::List) return changed_list(say, kind, object, of, before, after, type);
    if (game) {
      auto clause = field["clauses"].find(after.is == Value::Bool && !after.number ? "fails" : "holds");
      if (after.is == Value::Bool && clause) return phrase(capital(say.words(clause->text)), ".");
      if (!after.null() && after.is != Value::Bool) {
        Phrase words = say.words(field["said"].text);
        Phrase noun = words.empty() ? say.kind(of) : words;
        return phrase(!words.empty() || Say::is_term(of) ? "The " : "", words.empty() && !Say::is_term(of) ? capital(noun) : noun, be_now(noun), say.value(after, type), ".");
      }
      return noted(say, of, after, type, nullptr);
    }
    Phrase noun = say.field(kind, of);
    if (after.is == Value::Bool) return capital(phrase(object, after.number ? " is now " : " is no longer ", noun, "."));
    if (after.null()) return capital(phrase(object, " no longer has ", one(noun), "."));
    if (is(field["type"], "number") && (!field["unit"].text.empty() || data["counted"].has(of))) return capital(phrase(object, " now has ", say.amount(kind, of, after.number), "."));
    Phrase now = say.value(after, type);
    if (auto table = inside(present(type), "row")) {
      const Value &columns = data["tables"][table->text]["columns"];
      if (columns.has("column") && columns.has("row") && columns.has("neighbours")) return capital(phrase(object, " goes to ", now, "."));
    }
    string ends = " " + lower(text(noun)), whole = " " + lower(text(now));
    if (whole.size() >= ends.size() && whole.compare(whole.size() - ends.size(), ends.size(), ends) == 0) return capital(phrase(object, " now has ", one(noun), "."));
    return capital(phrase(belonging(object, noun), be_now(noun), now, "."));
  }
  static const char *be_now(const Phrase &noun) {
    string word = lower(text(noun));
    for (auto &each : data["terms"].members) if (lower(each.second["plural"].text) == word && lower(each.second["name"].text) != word) return " are now ";
    return " is now ";
  }
  static vector<Value> without(const vector<Value> &more, const vector<Value> &fewer) {
    vector<Value> left = fewer;
    vector<pair<Value, vector<Value>>> groups;
    for (auto &each : more) {
      auto group = std::find_if(groups.begin(), groups.end(), [&](auto &one) { return one.first == each; });
      if (group == groups.end()) { groups.push_back({each, {}}); group = groups.end() - 1; }
      auto place = std::find(left.begin(), left.end(), each);
      if (place != left.end()) left.erase(place); else group->second.push_back(each);
    }
    vector<Value> found;
    for (auto &each : groups) found.insert(found.end(), each.second.begin(), each.second.end());
    return found;
  }
  static bool plural(const Phrase &noun) {
    auto last = [](const string &words) { auto at = words.rfind(' '); return lower(at == string::npos ? words : words.substr(at + 1)); };
    string word = last(text(noun));
    for (auto &each : data["terms"].members) if (last(each.second["plural"].text) == word) return true;
    return !word.empty() && word.back() == 's';
  }
  static Phrase changed_list(const Say &say, size_t kind, const Phrase &object, const string &of, const Value &before, const Value &after, const Value &type) {
    Phrase noun = say.field(kind, of), whose = kind == 0 ? phrase("the ", noun) : belonging(object, noun);
    for (bool now : {true, false}) {
      auto &more = now ? after.list : before.list, &fewer = now ? before.list : after.list;
      auto found = without(more, fewer);
      if (!found.empty() && without(fewer, more).empty()) return phrase(capital(say.value(found, type)), found.size() == 1 ? " is " : " are ", now ? "now" : "no longer", plural(noun) ? " among " : " in ", whose, ".");
    }
    return phrase(capital(whose), ", now: ", say.value(after, type), ".");
  }
};

/* -- games ------------------------------------------------------------------------------------------------------------------- */

struct Game {
  i64 players, rolled = 0;
  Value seed, options;
  bool stop_at_chance;
  vector<Value> record;
  Things first;
  vector<Event> happened;
  Chronicle *log = nullptr;

  Game(i64 many, Value how, Value given, bool stops) : players(many), seed(std::move(how)), options(std::move(given)), stop_at_chance(stops) {
    auto &fresh = data["fresh"][std::to_string(players)].list;
    for (size_t each = 0; each < fresh.size(); each++) word(layout("state") + 8 * each) = std::stoll(fresh[each].text);
    auto &fields = fields_of(0);
    for (auto &each : options.members)
      for (size_t place = 0; place < fields.size(); place++)
        if (fields[place]["name"].text == "options." + each.first) { i64 choice = to_word(each.second, "choice"); word(layout("game") + 8 + 8 * place) = choice; }
    word(at("flags")) = 1;
    first = things();
    log = new Chronicle(first, -1);
    for (size_t each = 0; each < data["procedures"].list.size(); each++)
      if (data["procedures"][each]["id"] == data["start"]) { call("begin", "l", 'i', {(i64)each}); break; }
    note();
  }
  ~Game() { delete log; }
  Game(const Game &) = delete;
  void note() { for (auto &each : take_events()) happened.push_back(each); }
  void settle() {
    static const i64 space = call("take_space", "i", 'i', {4096});
    const Value *stop;
    standing(&stop);
    string key = seed.is == Value::Int ? "i" + std::to_string(seed.number) : "s" + seed.text;
    memcpy(&word((uint64_t)space), key.data(), key.size());
    memcpy((char *)&word((uint64_t)space) + 4000, "dice", 4);
    call("seed_dice", "iiliil", '-', {space, (i64)key.size(), -1, space + 4000, 4, rolled});
    i64 came;
    if (word(at("drawing"))) {
      came = call("draw_one", "l", 'l', {word(at("roll"))});
      record.push_back(vector<Value>{"chance", value(came, (*stop)["among"]["list"]), {}});
    } else {
      auto made = block(call("roll_faces", "l", 'l', {word(at("roll"))}));
      vector<Value> pools;
      for (size_t place = 1; place < made.size();) {
        vector<Value> faces;
        for (i64 count = made[place++]; count; count--) faces.push_back(made[place++]);
        pools.push_back(faces);
      }
      came = made[0];
      record.push_back(vector<Value>{"chance", came, pools});
    }
    rolled = call("dice_index", "", 'l', {});
    go_on(came);
  }
  void go_on(i64 came) { call("go_on", "l", 'i', {came}); note(); }
  void settle_all() { while (!stop_at_chance && word(at("mode")) == 2) settle(); }
  vector<string> ids() {
    const Value *stop, &step = standing(&stop);
    vector<string> found;
    for (auto &each : value(word(at("options")), (*stop)["options"]).list) found.push_back(identity(each, step["ids"]));
    return found;
  }
  void choose(i64 place) {
    record.push_back(vector<Value>{"choose", ids().at((size_t)place)});
    call("choose", "l", 'i', {place});
    note();
  }
  i64 outcome(const Value &v) {
    const Value *stop;
    standing(&stop);
    return v.is == Value::Int ? v.number : to_word(v, (*stop)["among"]["list"]);
  }
  void resolve(const Value &v) { record.push_back(vector<Value>{"chance", v, {}}); go_on(outcome(v)); }
  void repeat(const Value &line) {
    if (line[0].text == "choose") {
      need(word(at("mode")) == 1, "the record does not fit the rules");
      auto all = ids();
      auto place = std::find(all.begin(), all.end(), line[1].text);
      need(place != all.end(), "the record does not fit the rules");
      choose(place - all.begin());
    } else {
      need(word(at("mode")) == 2, "the record does not fit the rules");
      i64 came = outcome(line[1]);
      record.push_back(line);
      go_on(came);
    }
  }
  static Game *open(const string &text) {
    Reader reader(text);
    Value whole = reader.value();
    need(text.rfind("{\"rulewright\": 2, ", 0) == 0, "this is no save");
    size_t begins = text.find("\"save\": ") + 8;
    string body = text.substr(begins, text.rfind('}') - begins);
    need(sha256(body) == whole["check"].text, "this save was changed");
    const Value &save = whole["save"];
    need(save["digest"] == data["digest"], "this save is of other rules");
    Game *game = new Game(save["players"].number, save["seed"], save["options"], true);
    for (auto &each : save["record"].list) game->repeat(each);
    game->stop_at_chance = save["stop_at_chance"].number;
    game->rolled = save["rolled"].number;
    need(written(game->state()) == written(save["state"]), "the record of this save leads elsewhere");
    return game;
  }
  Value state() const {
    Value found = Value::object(), all = Value::object();
    const Value &root = data["procedures"][(size_t)word(at("root"))];
    found.put("format", 1); found.put("digest", data["digest"]); found.put("root", root["id"]); found.put("next", word(at("made")));
    for (auto &each : things()) {
      vector<Value> held{kind_at(each.second.kind)["id"]};
      held.insert(held.end(), each.second.values.begin(), each.second.values.end());
      all.put(std::to_string(each.first), held);
    }
    found.put("objects", all);
    vector<Value> under_way;
    for (auto &each : frames()) {
      Value frame = Value::object();
      auto step = step_at(each.step);
      frame.put("at", step ? Value(vector<Value>{(*step)["procedure"], (*step)["id"]}) : Value());
      vector<Value> slots;
      for (size_t place = 1; place <= each.slots.size(); place++) slots.push_back(slot(each, (i64)place));
      frame.put("values", slots);
      under_way.push_back(frame);
    }
    found.put("frames", under_way);
    i64 mode = word(at("mode")), winners = word(at("winners")), given = word(at("given"));
    found.put("mode", mode);
    vector<Value> seats, gave;
    if (winners != NONE) for (i64 each : block(winners)) seats.push_back(each);
    found.put("winners", mode == 3 && winners != NONE ? Value(seats) : Value());
    if (given != NONE) { auto words = block(given); for (size_t each = 0; each < words.size(); each++) gave.push_back(value(words[each], root["gives"][each][1])); }
    found.put("given", gave);
    return found;
  }
  string body() const {
    Value found = Value::object();
    found.put("ruleset", data["ruleset"]); found.put("digest", data["digest"]); found.put("players", players); found.put("options", options);
    found.put("seed", seed); found.put("stop_at_chance", stop_at_chance); found.put("rolled", rolled); found.put("state", state()); found.put("record", record);
    return written(found);
  }
  string save() const { string text = body(); return "{\"rulewright\": 2, \"check\": \"" + sha256(text) + "\", \"save\": " + text + "}\n"; }
};

/* -- the suite --------------------------------------------------------------------------------------------------------------- */

static string file(const string &name) {
  std::ifstream in(name, std::ios::binary);
  need(in.good(), "there is no " + name);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}
static Value json(const string &name) { string text = file(name); return Reader(text).value(); }

static long compared;
static void same(const Value &found, const Value &wanted, const string &where) {
  compared++;
  /* A roll and the object that says it are the same as JSON. */
  if (found == wanted || written(found) == written(wanted)) return;
  Reader again(*new string(written(found)));
  if (again.value() == wanted) return;
  throw std::runtime_error(where + ":\n  " + written(found).substr(0, 1500) + "\n  " + written(wanted).substr(0, 1500));
}
static void change(Value &there, const Value &changes) {
  for (auto &each : changes.members) if (each.second.null()) there.drop(each.first); else there.put(each.first, each.second);
}

static void play(const Value &planned, size_t number) {
  string game_at = "game " + std::to_string(number);
  bool opens = !planned["opens"].null();
  Game *game = opens ? Game::open(planned["opens"].text) : new Game(planned["players"].number, planned["seed"], planned["options"], planned["stop_at_chance"].number);
  if (opens) same(game->save(), planned["opens"], game_at + ": the save again");
  game->settle_all();
  size_t told = 0, begun = 0;
  if (opens) { for (; told < game->happened.size(); told++) game->log->tell(game->happened[told]); begun = told; }
  Value state = Value::object();
  state.put("objects", Value::object());
  map<i64, Value> views;
  vector<Value> whole;
  size_t place = 0;
  for (auto &stop : planned["stops"].list) {
    string where = game_at + ", stop " + std::to_string(place++) + ": ";
    Value objects = state["objects"];
    if (auto changes = stop["state"].find("objects")) change(objects, *changes);
    for (auto &each : stop["state"].members) state.put(each.first, each.second);
    state.put("objects", objects);
    same(game->state(), state, where + "state");
    auto expected = stop["decision"];
    for (auto each = expected.members.begin(); each != expected.members.end();) /* a host may leave it out */
      each = each->first == "subset" ? expected.members.erase(each) : each + 1;
    same(decision(), expected, where + "decision");
    i64 mode = word(at("mode"));
    Value chance, result;
    if (mode == 2) {
      const Value *unused;
      chance = Value::object();
      chance.put("rule", standing(&unused)["rule"]);
      chance.put("roll", word(at("drawing")) ? string("a card") : notation(word(at("roll"))));
    }
    if (mode == 3) { vector<Value> seats; if (word(at("winners")) != NONE) for (i64 each : block(word(at("winners")))) seats.push_back(each); result = Value::object(); result.put("winners", seats); }
    same(chance, stop["chance"], where + "chance");
    same(result, stop["result"], where + "result");
    vector<Value> log;
    for (; told < game->happened.size(); told++) log.push_back(game->log->tell(game->happened[told]));
    whole.insert(whole.end(), log.begin(), log.end());
    same(log, stop["log"], where + "log");
    i64 seat = stop["view"]["seat"].number;
    if (!views.count(seat)) views[seat] = Value::object();
    change(views[seat], stop["view"]["objects"]);
    same(view(seat), views[seat], where + "view");
    same(sha256(game->body()), stop["save"], where + "save");
    const Value &next = stop["next"];
    if (next.null()) break;
    if (next[0].text == "choose") game->choose(next[1].number);
    else if (next[0].text == "roll") game->settle();
    else game->resolve(next[1]);
    game->settle_all();
  }
  same(game->save(), planned["save"], game_at + ": save");
  for (auto &each : planned["told"].members) {
    Chronicle chronicle(game->first, std::stoll(each.first));
    vector<Value> found, wanted = whole;
    for (size_t event = 0; event < game->happened.size(); event++) { Value line = chronicle.tell(game->happened[event]); if (event >= begun) found.push_back(line); }
    for (auto &other : each.second.members) wanted[std::stoul(other.first)] = other.second;
    same(found, wanted, game_at + ": told to seat " + each.first);
  }
  delete game;
}

int main(int count, char **arguments) try {
  need(count == 2, "vectors FOLDER");
  setlocale(LC_CTYPE, "C.UTF-8");
  string folder = arguments[1], code = file(folder + "/rules.wasm");
  data = json(folder + "/rules.json");
  need(data["format"].number == 3, "rules of another format");
  void *config = wasm_config_new(), *module = nullptr, *trap = nullptr;
  wasmtime_config_wasm_relaxed_simd_set(config, false);
  wasmtime_config_wasm_simd_set(config, false);
  void *engine = wasm_engine_new_with_config(config);
  context = wasmtime_store_context(wasmtime_store_new(engine, nullptr, nullptr));
  need(!wasmtime_module_new(engine, (const uint8_t *)code.data(), code.size(), &module), "this is no module without SIMD");
  need(!wasmtime_instance_new(context, module, nullptr, 0, &instance, &trap) && !trap, "it cannot be made");
  need(wasmtime_instance_export_get(context, &instance, "memory", 6, &memory), "memory");
  Value suite = json(folder + "/vectors.json");
  need(suite["format"].number == 3 && suite["digest"] == data["digest"], "vectors of other rules");
  for (size_t number = 0; number < suite["games"].list.size(); number++) play(suite["games"][number], number);
  printf("passed: %ld comparisons\n", compared);
  return 0;
} catch (std::exception &error) {
  printf("%s\n", error.what());
  return 1;
}
