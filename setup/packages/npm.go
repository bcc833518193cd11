package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Node's names for systems, by Go's.
var (
	nodeOS   = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	nodeArch = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

// npm makes a package for each system, and the one that people install, which names the others.
func (m *maker) npm() error {
	var about map[string]any
	if err := readJSON(filepath.Join(m.root, "setup", "packages", "npm", "package.json"), &about); err != nil {
		return err
	}
	systems := map[string]string{}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			systems[npmName(goos, arch)] = m.version
		}
	}
	about["version"], about["optionalDependencies"] = m.version, systems
	delete(about, "files")
	files, err := m.npmFiles(about, "README.md", "index.js", "index.d.ts", "program.js", "wgslab.js")
	if err != nil {
		return err
	}
	if err := m.savePacked("wgslab", files); err != nil {
		return err
	}
	for _, p := range m.programs {
		if err := m.npmProgram(p, about); err != nil {
			return err
		}
	}
	return nil
}

func npmName(goos, arch string) string { return "@wgslab/" + nodeOS[goos] + "-" + nodeArch[arch] }

// npmProgram makes the package of a program. npm installs it only on its system.
func (m *maker) npmProgram(p program, main map[string]any) error {
	data, err := os.ReadFile(p.path)
	if err != nil {
		return err
	}
	name := npmName(p.os, p.arch)
	about := map[string]any{
		"name": name, "version": m.version, "description": "The program wgslab for " + p.os + " on " + p.arch,
		"license": main["license"], "homepage": main["homepage"], "repository": main["repository"],
		"os": []string{nodeOS[p.os]}, "cpu": []string{nodeArch[p.arch]},
		"preferUnplugged": true, // Yarn then unpacks it
	}
	files, err := m.npmFiles(about)
	if err != nil {
		return err
	}
	return m.savePacked(name, append(files, file{p.name(), data, true}))
}

// npmFiles returns a package's description, its licence, and files of the repository.
func (m *maker) npmFiles(about map[string]any, own ...string) ([]file, error) {
	text, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return nil, err
	}
	from := map[string]string{"LICENSE": "LICENSE"}
	for _, name := range own {
		from[name] = "setup/packages/npm/" + name
	}
	files, err := m.read(from)
	for i := range files {
		files[i].executable = files[i].path == "wgslab.js"
	}
	return append(files, file{path: "package.json", data: append(text, '\n')}), err
}

// savePacked writes a package as npm pack does: a tar with everything below package/.
func (m *maker) savePacked(name string, files []file) error {
	var packed bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zipped)
	for _, f := range sorted(files) {
		header := &tar.Header{Name: "package/" + f.path, Mode: f.mode(), Size: int64(len(f.data)), ModTime: time.Unix(499162500, 0), Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(f.data); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	if err := zipped.Close(); err != nil {
		return err
	}
	flat := strings.ReplaceAll(strings.TrimPrefix(name, "@"), "/", "-")
	return m.save("npm", fmt.Sprintf("%s-%s.tgz", flat, m.version), packed.Bytes())
}

func (f file) mode() int64 {
	if f.executable {
		return 0o755
	}
	return 0o644
}
