package grade

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime/debug"

	"github.com/wgslab/wgslab/internal/course"
)

// conditions returns what verdicts depend on besides the shaders.
func (o Options) conditions(adapter string) (Conditions, error) {
	program, err := digestOfProgram()
	if err != nil {
		return Conditions{}, err
	}
	pack, err := digestOfPack(course.PackFolder())
	if err != nil {
		return Conditions{}, err
	}
	return Conditions{Program: program, Pack: pack, Seed: o.Seed, Adapter: adapter, Deadline: o.Deadline, Costs: o.CostPoints > 0}, nil
}

// rules returns what the shards of one grading run have in common, whatever machine graded them:
// the version of the program, the exercises outside the course, the deadline and whether costs
// count.
func (c Conditions) rules() string {
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				version += " " + s.Value
			}
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %v %v %q", version, c.Pack, c.Deadline, c.Costs, c.Go))
	return hex.EncodeToString(sum[:])
}

// digestOfProgram returns the SHA-256 of the running program, which contains the course.
func digestOfProgram() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding the program that grades: %w", err)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("reading the program that grades: %w", err)
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", fmt.Errorf("reading the program that grades: %w", err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// digestOfPack returns the SHA-256 of the names and contents of a pack's files, or "" without a
// pack. It reads what loading reads: symbolic links within the pack count as what they lead to, and
// a file that can't be loaded counts by its name alone.
func digestOfPack(folder string) (string, error) {
	if folder == "" {
		return "", nil
	}
	files, err := course.PackFiles(folder)
	if err != nil {
		return "", fmt.Errorf("reading the exercises in %s: %w", folder, err)
	}
	defer files.Close()
	d := digester{hash: sha256.New(), files: files, left: mostDigested}
	if err := d.add(".", 0); err != nil {
		return "", fmt.Errorf("reading the exercises in %s: %w", folder, err)
	}
	return hex.EncodeToString(d.hash.Sum(nil)), nil
}

const (
	mostDigested    = 100_000 // files and folders: links may lead in circles
	deepestDigested = 8       // levels: an exercise's files, such as ID/wrong/NAME.wgsl, are at 3
)

// A digester computes the digest of a pack's files.
type digester struct {
	hash  hash.Hash
	files fs.FS
	left  int // files and folders that it may still read
}

func (d *digester) add(name string, level int) error {
	if d.left--; d.left < 0 {
		return fmt.Errorf("there are more than %d files", mostDigested)
	}
	info, err := fs.Stat(d.files, name)
	switch {
	case err != nil:
		fmt.Fprintf(d.hash, "%q unread\n", name)
		return nil
	case !info.IsDir():
		return d.addFile(name)
	case level == deepestDigested:
		return nil
	}
	entries, err := fs.ReadDir(d.files, name)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := d.add(path.Join(name, entry.Name()), level+1); err != nil {
			return err
		}
	}
	return nil
}

func (d *digester) addFile(name string) error {
	file, err := d.files.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	fmt.Fprintf(d.hash, "%q ", name)
	n, err := io.Copy(d.hash, file)
	fmt.Fprintf(d.hash, " %d\n", n)
	return err
}
