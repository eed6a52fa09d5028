using ApexShop.TestKit.Packages;

namespace ApexShop.Client.Tests;

/// <summary>The types of the npm package are those of the OpenAPI documents, and its programs keep to them.</summary>
[Collection(ClientShop.Suite)]
public sealed class TypesTests(ClientShop running, ClientNodePackage package)
{
    [Fact]
    public async Task The_types_are_made_from_the_documents_of_the_APIs()
    {
        var made = Path.Combine(await package.InstalledAsync(), "made.d.ts");
        await package.RunAsync(running.Environment(), Path.Combine(NodePackage.Sources, "generate.js"), made);
        (await File.ReadAllTextAsync(made)).ShouldBe(
            await File.ReadAllTextAsync(Path.Combine(NodePackage.Sources, "types.d.ts")),
            "Run npm run types in clients/npm while the shop runs.");
    }

    [Fact]
    public async Task A_program_that_uses_the_package_is_checked_by_its_types()
    {
        var folder = await package.InstalledAsync();
        // What the programs use of Node.
        await File.WriteAllTextAsync(
            Path.Combine(folder, "node.d.ts"),
            "declare const process: {\n"
            + "  argv: string[]; env: Record<string, string>; exitCode: number; exit(code: number): never;\n};\n");
        var sample = await package.CheckTypesAsync("shop.js");
        sample.Exit.ShouldBe(0, sample.Output);
        await File.WriteAllTextAsync(
            Path.Combine(folder, "wrong.js"),
            "import { ShopClient } from '@apexshop/client';\n"
            + "const shop = new ShopClient({ commands: 'http://a', queries: 'http://b' });\n"
            + "for await (const product of shop.products.list({ sort: 'weight' })) console.log(product.weight);\n");
        var (exit, output) = await package.CheckTypesAsync("wrong.js");
        exit.ShouldNotBe(0);
        output.ShouldContain("Property 'weight' does not exist");
        output.ShouldContain("Type '\"weight\"' is not assignable");
    }
}
