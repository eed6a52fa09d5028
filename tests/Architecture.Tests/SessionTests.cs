using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace ApexShop.Architecture.Tests;

/// <summary>
/// The pools do not reset connections (docs/decisions/0023-connection-reuse.md): what a statement
/// sets in its session would affect the next one.
/// </summary>
public sealed partial class SessionTests
{
    // Each uses connections that it closes afterwards, or a pool that resets its connections.
    private static readonly string[] withDedicatedConnections =
    [
        "src/Commands.Api/Events/LogTail.cs",
        "src/Commands.Api/Outbox/LeaderConnection.cs",
        "src/Projector/Operations/Auditing/Auditor.cs",
        "src/Projector/Operations/Rebuilding/RebuildLock.cs",
        "src/Projector/Operations/SessionHeartbeat.cs",
        "src/Shared/Migrating/MigrationLock.cs",
    ];

    [Fact]
    public void No_statement_changes_a_pooled_session() =>
        Sources.Programs.Where(ChangesItsSession).Select(file => file.Path).ShouldBe(withDedicatedConnections);

    [Theory]
    [InlineData("SET work_mem = '64MB'", true)]
    [InlineData("SELECT 1; set role admin", true)]
    [InlineData("LISTEN news", true)]
    [InlineData("CREATE TEMP TABLE t (id int)", true)]
    [InlineData("SELECT pg_advisory_lock(1)", true)]
    [InlineData("SELECT set_config('a.b', 'c', false)", true)]
    [InlineData("SELECT set_config('a.b', 'c', true)", false)]
    [InlineData("SET LOCAL work_mem = '64MB'", false)]
    [InlineData("SELECT pg_advisory_xact_lock(1)", false)]
    [InlineData("UPDATE t SET a = 1", false)]
    [InlineData("UPDATE {table} SET a = 1", false)]
    public void A_statement_that_changes_its_session_is_found(string sql, bool found) =>
        ChangesItsSession(new SourceFile("A.cs", $"class A {{ string sql = $\"{sql}\"; }}")).ShouldBe(found);

    private static bool ChangesItsSession(SourceFile file) =>
        file.Root.DescendantNodes().OfType<ExpressionSyntax>().Any(text => SessionStatement().IsMatch(TextOf(text)));

    // An interpolated value counts as a word.
    private static string TextOf(ExpressionSyntax expression) => expression switch
    {
        LiteralExpressionSyntax literal => literal.Token.ValueText,
        InterpolatedStringExpressionSyntax parts => string.Concat(
            parts.Contents.Select(
                part => part is InterpolatedStringTextSyntax text ? text.TextToken.ValueText : "value")),
        _ => "",
    };

    [GeneratedRegex(
        @"(^|;)\s*(SET\s+(?!LOCAL\b)\w|LISTEN\s|CREATE\s+TEMP)|\bpg_(try_)?advisory_lock(_shared)?\("
            + @"|\bset_config\((?![^()]*,\s*true\))",
        RegexOptions.IgnoreCase)]
    private static partial Regex SessionStatement();
}
