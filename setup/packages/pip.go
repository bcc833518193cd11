package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/fronts/notebook/labextension"
)

// wheelTags are pip's names for systems. The programs are static, so they run with any C library.
// Go 1.26 needs macOS 12.
var wheelTags = map[string][]string{
	"linux/amd64":   {"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"},
	"linux/arm64":   {"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"},
	"darwin/amd64":  {"macosx_12_0_x86_64"},
	"darwin/arm64":  {"macosx_12_0_arm64"},
	"windows/amd64": {"win_amd64"},
	"windows/arm64": {"win_arm64"},
}

// pip makes a wheel for each system. pip puts what is in scripts/ beside its other programs, and
// what is in data/ into the environment's own folder: there the program finds the page and the
// notebooks, and JupyterLab the kernel and the extension.
func (m *maker) pip() error {
	version, err := pipVersion(m.version)
	if err != nil {
		return err
	}
	shared, err := m.pipFiles(version)
	if err != nil {
		return err
	}
	for _, p := range m.programs {
		if err := m.wheel(p, version, shared); err != nil {
			return err
		}
	}
	return nil
}

var candidate = regexp.MustCompile(`^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.?(\d+)|-SNAPSHOT-(\w+))?$`)

// pipVersion returns a version as pip orders it: 1.0.0-rc.1 is 1.0.0rc1.
func pipVersion(version string) (string, error) {
	parts := candidate.FindStringSubmatch(version)
	switch {
	case parts == nil:
		return "", fmt.Errorf("pip has no version like %s: write 1.0.0 or 1.0.0-rc.1", version)
	case parts[4] != "":
		return parts[1] + ".dev0+" + parts[4], nil
	case parts[2] != "":
		return parts[1] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[parts[2]] + parts[3], nil
	}
	return version, nil
}

// pipFiles returns the files that the wheels of all systems have.
func (m *maker) pipFiles(version string) ([]file, error) {
	data := "wgslab-" + version + ".data/data/share/"
	files, err := m.read(map[string]string{
		"wgslab/__init__.py":                                "setup/packages/pip/wgslab/__init__.py",
		"wgslab/__main__.py":                                "setup/packages/pip/wgslab/__main__.py",
		data + "wgslab/TUTOR.md":                            "notebooks/TUTOR.md",
		"wgslab-" + version + ".dist-info/licenses/LICENSE": "LICENSE",
	})
	if err != nil {
		return nil, err
	}
	for from, to := range map[string]string{m.site: "site/", filepath.Join(m.root, "notebooks"): "notebooks/"} {
		found, err := folder(from, data+"wgslab/"+to)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	// Jupyter puts the path of the spec's folder there.
	spec := kernelspec.Installed("{resource_dir}/../../../../bin/wgslab")
	for name, text := range kernelspec.Files(spec) {
		files = append(files, file{path: data + "jupyter/kernels/" + kernelspec.Name + "/" + name, data: text})
	}
	for name, text := range labextension.Files() {
		files = append(files, file{path: data + "jupyter/labextensions/" + labextension.Name + "/" + name, data: text})
	}
	return files, nil
}

// wheel writes the wheel of a program.
func (m *maker) wheel(p program, version string, shared []file) error {
	tags := wheelTags[p.os+"/"+p.arch]
	if tags == nil {
		return fmt.Errorf("pip has no name for %s on %s", p.os, p.arch)
	}
	data, err := os.ReadFile(p.path)
	if err != nil {
		return err
	}
	readme, err := os.ReadFile(filepath.Join(m.root, "setup", "packages", "pip", "README.md"))
	if err != nil {
		return err
	}
	info := "wgslab-" + version + ".dist-info/"
	about := "Wheel-Version: 1.0\nGenerator: wgslab\nRoot-Is-Purelib: false\n"
	joined := ""
	for _, tag := range tags {
		about += "Tag: py3-none-" + tag + "\n"
		joined += "." + tag
	}
	if p.os == "windows" { // the kernel doesn't run there
		shared = slices.DeleteFunc(slices.Clone(shared), func(f file) bool { return strings.Contains(f.path, "/share/jupyter/kernels/") })
	}
	files := append(shared[:len(shared):len(shared)],
		file{"wgslab-" + version + ".data/scripts/" + p.name(), data, true},
		file{path: info + "WHEEL", data: []byte(about)},
		file{path: info + "METADATA", data: fmt.Appendf(nil, metadata, version, readme)})
	packed, err := zipped(sorted(files), info+"RECORD")
	if err != nil {
		return err
	}
	return m.save("pip", "wgslab-"+version+"-py3-none-"+joined[1:]+".whl", packed)
}

const metadata = `Metadata-Version: 2.4
Name: wgslab
Version: %s
Summary: Write GPU code yourself and have it checked: sixteen lessons in WGSL, and tests of shaders without a GPU
License-Expression: Apache-2.0
License-File: LICENSE
Keywords: wgsl,webgpu,shader,gpu,jupyter
Classifier: Framework :: Jupyter :: JupyterLab :: Extensions :: Prebuilt
Classifier: Intended Audience :: Education
Project-URL: Homepage, https://github.com/wgslab/wgslab
Requires-Python: >=3.10
Description-Content-Type: text/markdown

%s`

// zipped returns a wheel, with a record of its files at the end.
func zipped(files []file, record string) ([]byte, error) {
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	add := func(f file) error {
		header := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		header.SetMode(fs.FileMode(f.mode()))
		w, err := archive.CreateHeader(header)
		if err == nil {
			_, err = w.Write(f.data)
		}
		return err
	}
	list := ""
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		list += fmt.Sprintf("%s,sha256=%s,%d\n", f.path, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
		if err := add(f); err != nil {
			return nil, err
		}
	}
	if err := add(file{path: record, data: []byte(list + record + ",,\n")}); err != nil {
		return nil, err
	}
	err := archive.Close()
	return packed.Bytes(), err
}
