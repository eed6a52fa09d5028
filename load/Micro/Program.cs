using BenchmarkDotNet.Running;

// The runner's own options, --filter and --job among them. In this process: the program that it would build for each
// benchmark would be built with the rules of this repository.
BenchmarkSwitcher.FromAssembly(typeof(ApexShop.Micro.Json).Assembly).Run([.. args, "--inProcess"]);
