package exercises

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Solution is a right or a wrong program of an exercise. It is written as an edit of another
// program, or whole: a section of right.md or wrong.md.
type Solution struct {
	Name string // of its file, "wrong/local-id.wgsl"
	Line int    // of its heading in Markdown, from 1

	file    string // "vector-add/wrong.md"
	heading heading
	words   words
	base    string // the path of the program that it edits, below the exercise; "" if it is whole
	at      int    // the line of the text's first line, from 1
	lines   []string
	crlf    bool // its lines end as on Windows
}

// A heading names a solution, and says what the check says about it: the diagnosis, or the goals
// that it reaches.
type heading struct{ name, verdict string }

// words are the comment at the start of a program: what its author thought, and what a learner is
// told about it.
type words struct {
	thought, title, why, ask string
	lines                    bool // they keep their line breaks; others are wrapped
}

// Kind returns "right" or "wrong".
func (s *Solution) Kind() string { return path.Dir(s.Name) }

// An EditError says where a right.md or a wrong.md cannot be read.
type EditError struct {
	File string // "vector-add/wrong.md"
	Line int
	Text string
}

func (e *EditError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text) }

// A reader reads the sections of one file.
type reader struct {
	file  string
	kind  string // "wrong" or "right"
	bases []string
	found []*Solution
	lines []string
	next  int // index of the next line
}

// readSolutions reads the sections of a right.md or a wrong.md.
func readSolutions(file, text string) ([]*Solution, error) {
	r := &reader{file: file, kind: strings.TrimSuffix(path.Base(file), ".md"), bases: []string{"reference.wgsl"}}
	r.lines = strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for r.next < len(r.lines) {
		line := r.lines[r.next]
		r.next++
		var err error
		switch {
		case strings.HasPrefix(line, "## "):
			err = r.section(line[3:])
		case strings.HasPrefix(line, "# "):
			r.readBases(line)
		case strings.HasPrefix(line, "```"):
			err = r.errorf(r.next, "this block belongs to no heading: begin a solution with `## NAME`")
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(r.found, func(a, b *Solution) int { return strings.Compare(a.Name, b.Name) })
	return r.found, nil
}

func (r *reader) errorf(line int, format string, values ...any) error {
	return &EditError{r.file, line, fmt.Sprintf(format, values...)}
}

// readBases reads which programs the sections below a heading edit: those in backquotes.
func (r *reader) readBases(line string) {
	quoted := strings.Split(line, "`")
	var named []string
	for i := 1; i < len(quoted)-1; i += 2 {
		named = append(named, quoted[i])
	}
	if len(named) > 0 {
		r.bases = named
	}
}

// section reads a solution from below its heading: the words, and a block for each language.
func (r *reader) section(title string) error {
	name, verdict, _ := strings.Cut(title, ": ")
	h := heading{strings.TrimSpace(name), strings.TrimSpace(verdict)}
	if !validName(h.name) {
		return r.errorf(r.next, "%q cannot name a solution: use lower-case letters, digits and hyphens", h.name)
	}
	begins := r.next
	var paragraph []string
	var blocks int
	var said words
	for ; r.next < len(r.lines) && !strings.HasPrefix(r.lines[r.next], "# ") && !strings.HasPrefix(r.lines[r.next], "## "); r.next++ {
		line := r.lines[r.next]
		switch {
		case strings.HasPrefix(line, "```"):
			if blocks == 0 {
				said = r.words(paragraph)
			}
			blocks++
			if err := r.block(h, said, begins); err != nil {
				return err
			}
		case strings.TrimSpace(line) == "":
		case blocks > 0:
			return r.errorf(r.next+1, "words belong above the program of %s", h.name)
		default:
			paragraph = append(paragraph, line)
		}
	}
	if blocks == 0 {
		return r.errorf(begins, "%s has no program: add a block that begins with ```diff or ```wgsl", h.name)
	}
	return nil
}

// block reads a program. The next line opens its block, and then the next line closes it.
func (r *reader) block(h heading, said words, begins int) error {
	opens := r.next + 1
	language := strings.Fields(strings.TrimPrefix(r.lines[r.next], "```"))
	crlf := len(language) > 0 && language[len(language)-1] == "crlf"
	if crlf {
		language = language[:len(language)-1]
	}
	base, extension, err := r.language(opens, language)
	if err != nil {
		return err
	}
	first := r.next + 1
	length := slices.Index(r.lines[first:], "```")
	if length < 0 {
		return r.errorf(opens, "this block has no end: add a line ```")
	}
	r.next = first + length
	s := &Solution{
		Name: r.kind + "/" + h.name + extension, Line: begins,
		file: r.file, heading: h, words: said, base: base, at: first + 1, lines: r.lines[first:r.next], crlf: crlf,
	}
	if base != "" {
		s.dropNames()
	}
	if i := slices.IndexFunc(r.found, func(o *Solution) bool { return o.Name == s.Name }); i >= 0 {
		return r.errorf(begins, "line %d is a heading for %s, too: give this one another name", r.found[i].Line, strings.TrimPrefix(s.Name, r.kind+"/"))
	}
	if r.kind == "right" && strings.HasPrefix(base, "right/") && !slices.ContainsFunc(r.found, func(o *Solution) bool { return o.Name == base }) {
		return r.errorf(opens, "%s has to come above its edits", base)
	}
	r.found = append(r.found, s)
	return nil
}

// dropNames drops the names of files from an edit that the command diff has written.
func (s *Solution) dropNames() {
	if len(s.lines) > 1 && strings.HasPrefix(s.lines[0], "--- ") && strings.HasPrefix(s.lines[1], "+++ ") {
		s.at, s.lines = s.at+2, s.lines[2:]
	}
}

// language returns what a block edits, "" if it is a whole program, and how its file's name ends.
func (r *reader) language(line int, named []string) (base, extension string, err error) {
	switch {
	case len(named) == 1 && slices.Contains([]string{"wgsl", "go", "js"}, named[0]):
		return "", "." + named[0], nil
	case len(named) == 0 || len(named) > 2 || named[0] != "diff":
		return "", "", r.errorf(line, "a block begins with ```diff, or with ```wgsl, ```go or ```js if it holds a whole program")
	case len(named) == 1 && len(r.bases) == 1:
		base = r.bases[0]
	case len(named) == 1:
		return "", "", r.errorf(line, "say which program this edits: ```diff%s", strings.ReplaceAll(path.Ext(r.bases[0]), ".", " "))
	default:
		i := slices.IndexFunc(r.bases, func(base string) bool { return path.Ext(base) == "."+named[1] })
		if i < 0 {
			return "", "", r.errorf(line, "the heading above names no program in %q", named[1])
		}
		base = r.bases[i]
	}
	if path.Dir(base) != "right" && (path.Dir(base) != "." || strings.TrimSuffix(base, path.Ext(base)) != "reference") {
		return "", "", r.errorf(line, "a solution edits the reference or a right solution, and %s is neither", base)
	}
	return base, path.Ext(base), nil
}

// validName reports whether a solution can have the name.
func validName(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// words reads a paragraph: what the author thought, in quotation marks if you like, the title in
// bold, why, and the question in italics. What a wrong program is told is long, so a paragraph of
// one line becomes a comment of several.
func (r *reader) words(lines []string) words {
	text := strings.Join(lines, "\n")
	said := words{lines: len(lines) > 1 || r.kind == "right"}
	thought, rest, told := strings.Cut(text, "**")
	if told {
		var why string
		said.title, why, _ = strings.Cut(rest, "**")
		said.why = strings.TrimSpace(why)
		if i := opensItalics(said.why); i >= 0 {
			said.why, said.ask = strings.TrimSpace(said.why[:i]), strings.TrimSuffix(said.why[i+1:], "*")
		}
	}
	said.thought = strings.TrimSpace(thought)
	if inner, ok := strings.CutPrefix(said.thought, `"`); ok && strings.HasSuffix(inner, `"`) {
		said.thought = strings.TrimSuffix(inner, `"`)
	}
	return said
}

// opensItalics returns where the italics at the end of a text begin, or -1.
func opensItalics(text string) int {
	if len(text) < 3 || !strings.HasSuffix(text, "*") {
		return -1
	}
	for i := len(text) - 3; i >= 0; i-- {
		opens := text[i] == '*' && text[i+1] != ' ' && text[i+1] != '*'
		if opens && (i == 0 || text[i-1] == ' ' || text[i-1] == '\n') {
			return i
		}
	}
	return -1
}

// comment returns the comment at the start of the program.
func (s *Solution) comment() string {
	var b strings.Builder
	w, wrap := s.words, path.Ext(s.Name) == ".wgsl"
	if s.Kind() == "wrong" {
		diagnosis := s.heading.verdict
		if diagnosis == "" {
			diagnosis = s.heading.name
		}
		b.WriteString("// diagnosis: " + diagnosis + "\n")
		w.write(&b, wrap, "// title: ", "//   ", w.title)
		w.write(&b, wrap, "// why: ", "//   ", w.why)
		w.write(&b, wrap, "// ask: ", "//   ", w.ask)
	} else {
		w.write(&b, wrap, "// goals: ", "//   ", s.heading.verdict)
		w.write(&b, wrap, "// way: ", "//   ", w.title)
	}
	w.write(&b, wrap, "// ", "// ", w.thought)
	return b.String()
}

// widest is the longest line of a comment, in characters.
const widest = 100

// write writes a part of the words in lines that begin with first, and then with next. The words of
// a program in Go or JavaScript stay in one line: no learner sees them.
func (w words) write(b *strings.Builder, wrap bool, first, next, text string) {
	if text == "" {
		return
	}
	if w.lines || !wrap {
		b.WriteString(first + strings.ReplaceAll(text, "\n", "\n"+next) + "\n")
		return
	}
	line, empty := first, true
	for word := range strings.SplitSeq(text, " ") {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > widest {
			b.WriteString(line + "\n")
			line, empty = next, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	b.WriteString(line + "\n")
}

// buildLine keeps the Go compiler from building a program along with its neighbours.
const buildLine = "//go:build ignore\n\n"

// text returns the whole program. read reads the lines of the program that it edits.
func (s *Solution) text(read func(name string) ([]string, error)) (string, error) {
	body, _, err := s.body(read)
	if err != nil {
		return "", err
	}
	head := s.comment()
	extension := path.Ext(s.Name)
	if head != "" && extension != ".wgsl" {
		head += "\n"
	}
	if extension == ".go" {
		head = buildLine + head
	}
	text := head + body
	if s.crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text, nil
}

// An EditLine is a line of a solution's edit.
type EditLine struct {
	Added bool   // by the solution; otherwise it is in the edited program only
	Text  string // without the sign before it
	Line  int    // of the solution, from 1: its own, or that of what follows a removed one
}

// body returns the program below its first comment, and the edit with its lines in it, from 0.
func (s *Solution) body(read func(name string) ([]string, error)) (text string, edited []EditLine, err error) {
	if s.base == "" {
		return strings.Join(append(slices.Clone(s.lines), ""), "\n"), nil, nil
	}
	base, err := read(s.base)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil, &EditError{s.file, s.at - 1, "there is no " + s.base + " to edit"}
	}
	if err != nil {
		return "", nil, err
	}
	lines, edited, err := s.edit(base)
	return strings.Join(lines, "\n"), edited, err
}

// bodyOf returns a program from below its first comment, with lines that end as on Unix.
func bodyOf(text, extension string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if extension == ".go" {
		text = strings.TrimPrefix(text, buildLine)
	}
	for strings.HasPrefix(text, "//") {
		_, text, _ = strings.Cut(text, "\n")
	}
	return strings.TrimLeft(text, "\n")
}

// edit applies the edit to the lines of another program. Each part of the edit, between lines that
// begin with @@, has to fit in one place of them.
func (s *Solution) edit(base []string) (lines []string, edited []EditLine, err error) {
	done := 0 // lines of base
	for begin := 0; begin < len(s.lines); {
		end := begin
		for end < len(s.lines) && !strings.HasPrefix(s.lines[end], "@@") {
			end++
		}
		if begin == 0 && end == 0 {
			begin = 1 // the edit begins with @@
			continue
		}
		before, err := s.before(begin, end)
		if err != nil {
			return nil, nil, err
		}
		at, err := s.place(base, before, begin)
		if err != nil {
			return nil, nil, err
		}
		if at < done {
			return nil, nil, &EditError{s.file, s.at + begin, "this part of the edit belongs above the part before it"}
		}
		lines = append(lines, base[done:at]...)
		for _, line := range s.lines[begin:end] {
			switch {
			case strings.HasPrefix(line, "+"):
				edited = append(edited, EditLine{true, line[1:], len(lines)})
				lines = append(lines, line[1:])
			case strings.HasPrefix(line, "-"):
				edited = append(edited, EditLine{false, line[1:], len(lines)})
			default:
				lines = append(lines, strings.TrimPrefix(line, " "))
			}
		}
		done = at + len(before)
		begin = end + 1
	}
	return append(lines, base[done:]...), edited, nil
}

// before returns the lines of the other program that a part of the edit names.
func (s *Solution) before(begin, end int) ([]string, error) {
	var before []string
	for i, line := range s.lines[begin:end] {
		switch {
		case strings.HasPrefix(line, "+"):
		case line == "":
			before = append(before, "")
		case strings.HasPrefix(line, "-"), strings.HasPrefix(line, " "):
			before = append(before, line[1:])
		default:
			return nil, &EditError{s.file, s.at + begin + i, "a line of an edit begins with `-`, `+`, `@@` or a space"}
		}
	}
	if len(before) == 0 {
		return nil, &EditError{s.file, s.at + begin, "this part of the edit has no place: add a line of " + s.base + " as context, after a space"}
	}
	return before, nil
}

// place returns where the lines are in the other program.
func (s *Solution) place(base, before []string, begin int) (int, error) {
	at := -1
	for i := 0; i+len(before) <= len(base); i++ {
		if !slices.Equal(base[i:i+len(before)], before) {
			continue
		}
		if at >= 0 {
			return 0, &EditError{s.file, s.at + begin, fmt.Sprintf("these lines fit %s in more than one place: add lines around them as context", s.base)}
		}
		at = i
	}
	if at < 0 {
		return 0, &EditError{s.file, s.at + begin, fmt.Sprintf("%s has no such lines: %q", s.base, strings.Join(before, "\n"))}
	}
	return at, nil
}
