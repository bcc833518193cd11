package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

func newExtractCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "extract FOLDER TO",
		Short: "Copy the compute shaders of other projects' files to a folder, each to a file of its own",
		Long: `Extract looks for compute shaders in FOLDER: in .wgsl files, and in string literals
of other languages' files. It leaves out literals with substitutions such as ${size},
and shaders that it has copied before. The folders in FOLDER are the projects.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			x := extraction{from: args[0], to: args[1], seen: map[[sha256.Size]byte]bool{}}
			if err := filepath.WalkDir(x.from, x.visit); err != nil {
				return fmt.Errorf("extracting shaders: %w", err)
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), english.Count(len(x.seen), "shader", "shaders"))
			return err
		},
	}
}

// An extraction copies shaders from one folder to another.
type extraction struct {
	from, to string
	seen     map[[sha256.Size]byte]bool // by the shader's words, so that layout doesn't matter
}

func (x *extraction) visit(path string, entry fs.DirEntry, err error) error {
	if err != nil || !entry.Type().IsRegular() || strings.HasSuffix(path, tintOutcome) {
		return err
	}
	literals := literalsOf[filepath.Ext(path)]
	if info, err := entry.Info(); literals == nil || err != nil || info.Size() > maxHost {
		return err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	name, err := filepath.Rel(x.from, path)
	if err != nil {
		return err
	}
	for i, shader := range literals(string(text)) {
		key := sha256.Sum256([]byte(strings.Join(strings.Fields(shader), " ")))
		if x.seen[key] || len(shader) > syntax.MaxSource || !computes(shader) {
			continue
		}
		x.seen[key] = true
		if err := x.write(name, i, shader); err != nil {
			return err
		}
	}
	return nil
}

// write writes the shader of a number in a file.
func (x *extraction) write(name string, number int, shader string) error {
	if base, isShader := strings.CutSuffix(name, ".wgsl"); isShader {
		name = base
	} else {
		name = fmt.Sprintf("%s.%d", name, number)
	}
	path := filepath.Join(x.to, name+".wgsl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(shader), 0o644)
}

// maxHost is the size of the largest file that is read: a page's bundle has a few megabytes.
const maxHost = 4 << 20

// literalsOf returns the texts in a file that may be shaders, by the end of the file's name.
var literalsOf = func() map[string]func(text string) []string {
	all := map[string]func(string) []string{".wgsl": func(text string) []string { return []string{text} }}
	for extensions, pattern := range map[string]string{
		".ts .tsx .js .jsx .mjs .html .vue .svelte .go": "`([^`]*)`",
		".rs":                         `r"([^"]*)"|r#"((?s:.*?))"#|r##"((?s:.*?))"##`,
		".py":                         `"""((?s:.*?))"""|'''((?s:.*?))'''`,
		".cc .cpp .h .hpp .cxx":       `R"[a-zA-Z_]*\(((?s:.*?))\)[a-zA-Z_]*"`,
		".java .kt .swift .scala .cs": `"""((?s:.*?))"""`,
	} {
		literal := regexp.MustCompile(pattern)
		for _, extension := range strings.Fields(extensions) {
			all[extension] = func(text string) []string { return contents(literal, text) }
		}
	}
	return all
}()

// contents returns the contents of the literals without substitutions. Snapshots of tests have
// quotes around them, and WGSL has no strings.
func contents(literal *regexp.Regexp, text string) (all []string) {
	for _, groups := range literal.FindAllStringSubmatch(text, -1) {
		if content := strings.Join(groups[1:], ""); !strings.Contains(content, "${") {
			all = append(all, strings.Trim(strings.TrimSpace(content), `"`))
		}
	}
	return all
}

var (
	comment    = regexp.MustCompile(`//[^\n]*|/\*(?s:.*?)\*/`)
	computeRun = regexp.MustCompile(`@compute\b(?s:[^;{}]*?)\bfn\s+\w+`)
)

// computes reports whether a text has an entry point for compute, outside of comments.
func computes(text string) bool { return computeRun.MatchString(comment.ReplaceAllString(text, " ")) }
