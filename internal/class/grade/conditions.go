package grade

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
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

// rules returns what the shards of one grading run have in common, whatever machine graded them: the
// version of the program, the exercises outside the course, the deadline and whether costs count.
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
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %v %v", version, c.Pack, c.Deadline, c.Costs))
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

// digestOfPack returns the SHA-256 of the names and contents of a pack's files, or "" without a pack.
func digestOfPack(folder string) (string, error) {
	if folder == "" {
		return "", nil
	}
	files, err := course.PackFiles(folder)
	if err != nil {
		return "", fmt.Errorf("reading the exercises in %s: %w", folder, err)
	}
	defer files.Close()
	hash := sha256.New()
	err = fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		file, err := files.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		fmt.Fprintf(hash, "%q ", path)
		n, err := io.Copy(hash, io.LimitReader(file, mostDigested))
		fmt.Fprintf(hash, " %d\n", n)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("reading the exercises in %s: %w", folder, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// mostDigested is how much of a file of a pack counts, in bytes. No file that an exercise reads is as
// large.
const mostDigested = 1 << 20
