package syntax

// MaxSource is the longest source that is read, in bytes. A shader is a few kilobytes; the limit keeps an upload of
// 100 MB from costing time and memory.
const MaxSource = 8 << 20

// Parse reads a shader. There is always a tree, whatever is wrong with the text; the diagnostics are in source order.
func Parse(source *Source) (*File, []*Diagnostic) {
	return &File{Source: source}, nil
}
