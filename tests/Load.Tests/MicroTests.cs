using System.Reflection;
using BenchmarkDotNet.Attributes;

namespace ApexShop.Load.Tests;

/// <summary>Runs each benchmark of load/Micro once, so that it cannot break unnoticed.</summary>
public sealed class MicroTests
{
    public static TheoryData<Type> Benchmarks() =>
        [.. typeof(Micro.Json).Assembly.GetExportedTypes().Where(type => Marked<BenchmarkAttribute>(type).Any())];

    [Fact]
    public void There_are_benchmarks_of_five_parts() => Benchmarks().Count.ShouldBe(5);

    [Theory, MemberData(nameof(Benchmarks))]
    public void Every_benchmark_runs(Type type)
    {
        var benchmark = Activator.CreateInstance(type);
        foreach (var method in Marked<GlobalSetupAttribute>(type)) method.Invoke(benchmark, []);
        foreach (var method in Marked<BenchmarkAttribute>(type))
            method.Invoke(benchmark, []).ShouldNotBe(0, method.Name);
        foreach (var method in Marked<GlobalCleanupAttribute>(type)) method.Invoke(benchmark, []);
    }

    private static IEnumerable<MethodInfo> Marked<TAttribute>(Type type)
        where TAttribute : Attribute => type.GetMethods().Where(method => method.IsDefined(typeof(TAttribute)));
}
