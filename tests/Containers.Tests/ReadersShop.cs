using System.Text.Json.Nodes;
using ApexShop.TestKit.Pages;

namespace ApexShop.Containers.Tests;

/// <summary>What a reader of docs/containers.md has at the end of the page.</summary>
public sealed class ReadersShop() : ComposedShop("compose.yaml")
{
    /// <summary>The containers after the last command of the page.</summary>
    public Dictionary<string, JsonNode> Containers { get; private set; } = [];

    protected override async Task StartAsync()
    {
        using var reader = new PageRunner();
        await reader.RunAsync(await PagePart.ReadAsync("containers.md"), Variables);
        Containers = await ContainersAsync();
    }
}
