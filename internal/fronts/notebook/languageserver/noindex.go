package languageserver

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// withoutIndex returns variables that keep gopls from reading the whole module cache, which it
// would do for each new user: about 25 s of CPU time and 90 MB. It would then know names of
// packages that are in the cache, but in no go.mod, so no cell can import them. Gopls has no
// setting for that.
//
// Gopls keeps the names that it has read in a file of the user's cache folder, and reads the
// modules if there is no such file. So it gets a cache folder of its own, in scratch, where the
// file can't be read. The caches that it needs stay where they are. Without go there is nothing to
// read.
func withoutIndex(scratch string) (variables []string, err error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return nil, nil // gopls then keeps no names
	}
	ask := exec.Command("go", "env", "GOCACHE", "GOMODCACHE")
	ask.Dir = "/" // outside of all modules
	out, err := ask.Output()
	folders := strings.Split(string(out), "\n")
	if err != nil || len(folders) < 2 {
		return nil, nil
	}
	own := filepath.Join(scratch, "cache")
	file := fmt.Sprintf("index-name-0-%032x", sha256.Sum256([]byte(folders[1]))) // as gopls 0.23 names it
	if err := os.MkdirAll(filepath.Join(own, "goimports", file), 0o700); err != nil {
		return nil, fmt.Errorf("making a cache folder for gopls: %w", err)
	}
	variables = []string{"XDG_CACHE_HOME=" + own, "GOCACHE=" + folders[0]}
	if os.Getenv("GOPLSCACHE") == "" {
		variables = append(variables, "GOPLSCACHE="+caches)
	}
	return variables, nil
}
