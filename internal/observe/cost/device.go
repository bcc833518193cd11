package cost

import (
	"fmt"
	"slices"
	"strings"
)

// A GPU is a GPU with the numbers that limit a shader.
type GPU struct {
	Name      string  `json:"name"`  // as --device takes it
	Title     string  `json:"title"` // in words
	Bandwidth float64 `json:"bytes_per_second"`
	FLOPS     float64 `json:"flops"` // in f32, a multiply-add being two
	Cores     int     `json:"multiprocessors"`
	Clock     float64 `json:"hertz"`
	Threads   int     `json:"invocations_per_multiprocessor"`
	Workgroup int     `json:"workgroup_bytes_per_multiprocessor"`
	Registers int     `json:"registers_per_multiprocessor"`
	Source    string  `json:"source"`

	adapters []string // parts of the names that drivers give it
}

// Devices lists the devices that a report knows.
var Devices = []GPU{
	{
		Name: "laptop", Title: "a laptop's integrated GPU (Intel Iris Xe, 96 EU)",
		Bandwidth: 68.3e9, FLOPS: 2.07e12, Cores: 6, Clock: 1.35e9, Threads: 896, Workgroup: 128 << 10, Registers: 114688,
		Source:   "Intel ARK, Core i7-1185G7: 96 EU at 1.35 GHz, LPDDR4x-4267 on 128 bits; Intel, oneAPI GPU Optimization Guide, Xe-LP: a dual subslice has 16 EU of 7 threads, 128 registers of 32 bytes for each thread, and 128 KiB of shared local memory",
		adapters: []string{"iris", "intel", "uhd"},
	},
	{
		Name: "macbook", Title: "a MacBook (Apple M2, 10 cores)",
		Bandwidth: 100e9, FLOPS: 3.6e12, Cores: 10, Clock: 1.4e9, Threads: 1024, Workgroup: 32 << 10, Registers: 53248,
		Source:   "Apple, \"Apple unveils M2\", 2022: 100 GB/s, 3.6 teraflops",
		adapters: []string{"apple"},
	},
	{
		Name: "gaming", Title: "a gaming card (NVIDIA GeForce RTX 4070)",
		Bandwidth: 504e9, FLOPS: 29.1e12, Cores: 46, Clock: 2.475e9, Threads: 1536, Workgroup: 100 << 10, Registers: 65536,
		Source:   "NVIDIA, GeForce RTX 4070 specifications: 5888 cores at 2.475 GHz, 504 GB/s; CUDA C++ Programming Guide, compute capability 8.9",
		adapters: []string{"geforce", "rtx"},
	},
	{
		Name: "radeon", Title: "a gaming card (AMD Radeon RX 7800 XT)",
		Bandwidth: 624e9, FLOPS: 37.3e12, Cores: 30, Clock: 2.43e9, Threads: 2048, Workgroup: 128 << 10, Registers: 196608,
		Source:   "AMD, Radeon RX 7800 XT specifications: 60 compute units at 2.43 GHz, 37.3 teraflops, 624 GB/s; AMD GPUOpen, Occupancy explained: a WGP is two compute units with four SIMDs of 16 waves of 32, 1536 registers for each of 32 lanes, and 128 KiB of local memory",
		adapters: []string{"radeon", "amd"},
	},
	{
		Name: "h100", Title: "NVIDIA H100",
		Bandwidth: 3.35e12, FLOPS: 66.9e12, Cores: 132, Clock: 1.98e9, Threads: 2048, Workgroup: 228 << 10, Registers: 65536,
		Source:   "NVIDIA H100 data sheet, SXM: 3.35 TB/s, 67 teraflops; CUDA C++ Programming Guide, compute capability 9.0",
		adapters: []string{"h100"},
	},
	{
		Name: "h200", Title: "NVIDIA H200",
		Bandwidth: 4.8e12, FLOPS: 66.9e12, Cores: 132, Clock: 1.98e9, Threads: 2048, Workgroup: 228 << 10, Registers: 65536,
		Source:   "NVIDIA H200 data sheet: 4.8 TB/s, 67 teraflops; CUDA C++ Programming Guide, compute capability 9.0",
		adapters: []string{"h200"},
	},
}

// Usual is the name of the device of a report that names none.
const Usual = "laptop"

// FindDevice returns the device with a name.
func FindDevice(name string) (GPU, error) {
	i := slices.IndexFunc(Devices, func(d GPU) bool { return d.Name == name })
	if i < 0 {
		return GPU{}, fmt.Errorf("no device is called %q: use %s", name, strings.Join(Names(), ", "))
	}
	return Devices[i], nil
}

// Names returns the names of all devices.
func Names() (names []string) {
	for _, d := range Devices {
		names = append(names, d.Name)
	}
	return names
}

// DeviceOf returns the device of an adapter, by the name that the driver gives it; ok is false if
// the table has none like it.
func DeviceOf(adapter string) (d GPU, ok bool) {
	for _, d := range slices.Backward(Devices) {
		if slices.ContainsFunc(d.adapters, func(part string) bool { return strings.Contains(strings.ToLower(adapter), part) }) {
			return d, true
		}
	}
	return GPU{}, false
}
