using System.Text.RegularExpressions;

namespace ApexShop.Architecture.Tests;

/// <summary>xunit 2 disposes of a test class that is IDisposable or IAsyncLifetime, and not IAsyncDisposable.</summary>
public sealed partial class TestDisposalTests
{
    [Fact]
    public void No_class_of_tests_relies_on_IAsyncDisposable() =>
        Sources.Tests.Where(file => IsNeverDisposed(file.Text)).Select(file => file.Path).ShouldBeEmpty();

    [Theory]
    [InlineData("public sealed class ShopTests : IAsyncDisposable", true)]
    [InlineData("public sealed class ShopTests(App app) : IClassFixture<App>, IAsyncDisposable", true)]
    [InlineData("public sealed class ShopTests : IAsyncLifetime", false)]
    [InlineData("private sealed class Receiver : IAsyncDisposable", false)]
    public void A_class_that_is_never_disposed_is_found(string declaration, bool found) =>
        IsNeverDisposed(declaration).ShouldBe(found);

    private static bool IsNeverDisposed(string text) => Disposed().IsMatch(text);

    [GeneratedRegex(@"^public .*\bclass \w+Tests\b[^{;]*\bIAsyncDisposable\b", RegexOptions.Multiline)]
    private static partial Regex Disposed();
}
