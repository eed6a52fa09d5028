using ApexShop.TestKit;

namespace ApexShop.Client.Tests;

/// <summary>The sample is built with the package from a folder.</summary>
[Collection(ClientShop.Suite)]
public sealed class DotNetPackageTests(ClientShop running) : IDisposable
{
    private const string Package = "ApexShop.Client";

    private readonly Programs programs = new();

    public void Dispose() => programs.Dispose();

    [Fact]
    public async Task The_sample_orders_once_with_the_package_although_the_response_is_cut_off()
    {
        await BuildAsync();
        using var client = running.Open();
        var (_, products) = await running.StockAsync(client, 2, "Candlestick");
        await using var commands = await FaultProxy.OpenAsync(running.Shop.Commands);
        await using var queries = await FaultProxy.OpenAsync(running.Shop.Queries);
        // The sign-in is refused once, and the response to the order is cut off.
        commands.Refuse(429, "0");
        commands.Pass();
        commands.Cut();

        var output = await programs.RunAsync(
            running.Environment(commands, queries), "dotnet", "out/Sample.dll", "candlestick");

        output.ShouldContain("Candlestick 2: 2.00 USD, 100 in stock");
        output.ShouldContain("of Grace Hopper: Pending, 3.00 USD");
        output.ShouldContain("1 x Candlestick 1: 1.00");
        commands.Seen.Select(one => one.Path).ShouldBe(["/sessions", "/sessions", "/orders", "/orders"]);
        foreach (var product in products) (await client.Products.GetAsync(product)).Stock.ShouldBe(99);
    }

    // The packages that the machine has are used as they are; the package under test is not added to them.
    private async Task BuildAsync()
    {
        var none = new Dictionary<string, string>();
        await programs.RunAsync(
            none, "dotnet", "pack", Path.Combine(Repository.Root, "src", "Client"), "-c", Programs.Configuration,
            "--no-build", "-o", programs.Folder);
        programs.Copy("samples", "client-dotnet", "Program.cs");
        programs.Write("nuget.config", $"""
            <configuration>
              <config><add key="globalPackagesFolder" value="packages" /></config>
              <packageSources><clear /><add key="built" value="." /></packageSources>
              <fallbackPackageFolders><add key="machine" value="{Programs.MachinePackages}" /></fallbackPackageFolders>
            </configuration>
            """);
        var file = Directory.GetFiles(programs.Folder, $"{Package}.*.nupkg").Single();
        var version = Path.GetFileNameWithoutExtension(file)[(Package.Length + 1)..];
        programs.Write("Sample.csproj", $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
                <Nullable>enable</Nullable>
                <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
              </PropertyGroup>
              <ItemGroup><PackageReference Include="{Package}" Version="{version}" /></ItemGroup>
            </Project>
            """);
        await programs.RunAsync(none, "dotnet", "build", "-o", "out", "--disable-build-servers");
    }
}
