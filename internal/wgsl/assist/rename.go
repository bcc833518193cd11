package assist

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Refusal says why a name can't change, in sentences.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// Renameable returns the name at the offset that Rename would change. The error says why it can't.
func (d *Document) Renameable(offset int) (syntax.Span, error) {
	m, ok := d.at(offset)
	if !ok {
		return syntax.Span{}, d.notOurs(offset)
	}
	if d.broken != nil {
		line := d.source.Position(d.broken.Span.Start).Line
		return syntax.Span{}, refuse("Line %d has a syntax error, so some uses of the name may be hidden. Mend it first: %s", line, d.broken.Message)
	}
	name := m.of.ident().Name
	switch o := m.of.object; {
	case o == nil:
		if span, ok := d.index().unknown[name]; ok {
			return syntax.Span{}, refuse("On line %d the type before `.%s` is unknown, so it may be this member or another. Mend that line first.", d.source.Position(span.Start).Line, name)
		}
	case o.Kind == types.OverrideObject && o.ID == nil:
		return syntax.Span{}, refuse("A host program sets the override `%s` by this name. Give it an @id, or rename it by hand in both.", name)
	case d.info.Function(o) != nil && d.info.Function(o).Entry != nil:
		return syntax.Span{}, refuse("A host program starts the entry point `%s` by this name. Rename it by hand in both.", name)
	}
	return m.Span, nil
}

// notOurs says why the text at an offset is no name to change.
func (d *Document) notOurs(offset int) error {
	word := d.word(offset)
	switch {
	case word == "":
		return refuse("There is no name here.")
	case syntax.IsKeyword(word):
		return refuse("`%s` is a keyword of WGSL.", word)
	case types.PredeclaredNamed(word) != nil:
		return refuse("`%s` is a part of WGSL, and not declared in this shader.", word)
	}
	return refuse("This shader doesn't declare `%s`.", word)
}

// word returns the word at an offset, or "".
func (d *Document) word(offset int) string {
	text := d.source.Text
	start, end := min(offset, len(text)), min(offset, len(text))
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		if !syntax.InName(r) {
			break
		}
		start -= size
	}
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !syntax.InName(r) {
			break
		}
		end += size
	}
	return text[start:end]
}

// Rename returns the edits that give what is named at the offset another name. The error says why
// the shader would be wrong, or mean something else.
func (d *Document) Rename(offset int, name string) ([]findings.Edit, error) {
	if _, err := d.Renameable(offset); err != nil {
		return nil, err
	}
	if err := goodName(name); err != nil {
		return nil, err
	}
	m, _ := d.at(offset)
	if m.of.ident().Name == name {
		return nil, nil
	}
	var edits []findings.Edit
	for _, mention := range d.mentionsOf(m.of) {
		edits = append(edits, findings.Edit{Span: mention.Span, New: name})
	}
	text, err := findings.Apply(d.source.Text, edits)
	if err != nil {
		return nil, err
	}
	after := Read(d.source.Name, text)
	if after.errors > d.errors || !slices.Equal(d.bindings(), after.bindings()) {
		return nil, d.conflict(m, name)
	}
	return edits, nil
}

// goodName reports an error unless WGSL accepts the name in a declaration.
func goodName(name string) error {
	file, found := syntax.Parse(syntax.NewSource("", "const "+name+" = 1;"))
	if f := findings.FirstError(found); f != nil {
		return refuse("`%s` can't be a name. %s", name, f.Message)
	}
	if len(file.Decls) == 1 {
		if decl, ok := file.Decls[0].(*syntax.ConstDecl); ok && decl.Name.Name == name && decl.Type == nil {
			return nil
		}
	}
	return refuse("`%s` isn't a name. Write letters, digits and _, beginning with a letter or _.", name)
}

// bindings says which declaration each mention means: for each mention the place of its declaration
// in the list of mentions. A change of names that keeps the meaning keeps this list.
func (d *Document) bindings() []int {
	all := d.index().mentions
	declared := map[target]int{}
	for i, m := range all {
		if m.Declares {
			declared[m.of] = i
		}
	}
	list := make([]int, len(all))
	for i, m := range all {
		list[i] = declared[m.of]
	}
	return list
}

// conflict says what already has the new name.
func (d *Document) conflict(m Mention, name string) error {
	for _, other := range d.index().mentions {
		if ident := other.of.ident(); other.Declares && ident.Name == name && (other.of.object == nil) == (m.of.object == nil) {
			line := d.source.Position(ident.Span().Start).Line
			return refuse("Line %d already declares `%s`, so the shader would be wrong or mean something else.", line, name)
		}
	}
	return refuse("The shader uses `%s` of WGSL, which this name would hide.", name)
}
