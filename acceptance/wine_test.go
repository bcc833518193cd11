//go:build acceptance

package acceptance

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/lab"
)

// wine returns the platform windows/amd64 with Wine and a Windows of its own. Without Wine, it
// skips the test.
func wine(t *testing.T) platform {
	t.Helper()
	p := platform{os: "windows", arch: "amd64"}
	program, err := exec.LookPath("wine")
	if err != nil {
		t.Skip("left out: Wine runs this test, and takes 700 MB. Run: apt-get install wine wine64")
	}
	prefix := filepath.Join(lab.Root(t), ".build", "acceptance", "wine")
	p.starter = []string{program}
	p.env = []string{"WINEPREFIX=" + prefix, "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml="}
	t.Cleanup(func() { p.run("wineserver", "--kill") })
	library := filepath.Join(prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(library); err == nil {
		return p
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(prefix), 0o755))
	p.run("wineboot", "--init") // complains about the 32 bits that it lacks
	if _, err := os.Stat(library); err != nil {
		require.NoError(t, os.WriteFile(library, processPrng(), 0o644))
	}
	return p
}

// run runs one of Wine's own programs.
func (p platform) run(program string, args ...string) {
	command := exec.Command(program, args...)
	command.Env = append(os.Environ(), p.env...)
	_ = command.Run() // the test that needs its result fails
}

// processPrng returns a library for Windows that programs of Go load when they start. Wine has it
// from version 9 on; Debian 12 ships version 8. The library has no code: its one function leads to
// another, which fills memory with random bytes as well.
func processPrng() []byte {
	const sectionAt, fileAt = 0x1000, 0x200
	type exports struct {
		Flags, Time, Version, Name, Base, Functions, Names             uint32
		AddressOfFunctions, AddressOfNames, AddressOfNumbers, Function uint32
		FirstName                                                      uint32
		Number                                                         uint16
		Library                                                        [22]byte
		Exported                                                       [12]byte
		Forwarded                                                      [28]byte
	}
	e := exports{Base: 1, Functions: 1, Names: 1}
	e.AddressOfFunctions, e.AddressOfNames, e.AddressOfNumbers = sectionAt+40, sectionAt+44, sectionAt+48
	e.Name = sectionAt + 50
	e.FirstName = e.Name + uint32(copy(e.Library[:], "bcryptprimitives.dll")) + 2
	e.Function = e.FirstName + uint32(len(e.Exported))
	copy(e.Exported[:], "ProcessPrng")
	copy(e.Forwarded[:], "advapi32.SystemFunction036")
	size := uint32(binary.Size(e))

	var file bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&file, binary.LittleEndian, v) // into memory
		}
	}
	put([]byte("MZ"), make([]byte, 58), uint32(64), []byte("PE\x00\x00"))
	put(uint16(0x8664), uint16(1), make([]byte, 12), uint16(240), uint16(0x2022)) // x86-64, one section, a library
	put(uint16(0x20b), make([]byte, 6), uint32(fileAt), uint32(0), uint32(0), uint32(sectionAt))
	put(uint64(0x180000000), uint32(sectionAt), uint32(fileAt), uint16(6), make([]byte, 6), uint16(6), make([]byte, 6))
	put(uint32(2*sectionAt), uint32(fileAt), uint32(0), uint16(3), uint16(0x100))
	put(uint64(1<<20), uint64(1<<12), uint64(1<<20), uint64(1<<12), uint32(0), uint32(16))
	put(uint32(sectionAt), size, make([]byte, 15*8)) // the directory of exports, and no other
	put([]byte(".edata\x00\x00"), size, uint32(sectionAt), uint32(fileAt), uint32(fileAt), make([]byte, 12), uint32(0x40000040))
	put(make([]byte, fileAt-file.Len()), e, make([]byte, fileAt-int(size)))
	return file.Bytes()
}
