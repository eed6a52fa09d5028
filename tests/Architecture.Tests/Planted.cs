using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace ApexShop.Architecture.Tests;

/// <summary>Compiles a violation, so that each rule can be seen to find one.</summary>
internal static class Planted
{
    private static readonly Lazy<MetadataReference[]> references = new(() =>
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(file => MetadataReference.CreateFromFile(file)),
    ]);

    public static Assembly Compile(string source)
    {
        using var output = new MemoryStream();
        var result = CSharpCompilation.Create(
            $"Planted{Guid.NewGuid():N}",
            [CSharpSyntaxTree.ParseText(source)],
            references.Value,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)).Emit(output);
        result.Success.ShouldBeTrue(string.Join('\n', result.Diagnostics));
        return Assembly.Load(output.ToArray());
    }
}
