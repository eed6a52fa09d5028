namespace ApexShop.Commands.Api.Operations.Console;

/// <param name="Name">The program: Commands.Api, Projector or Queries.Api.</param>
/// <param name="Url">Its configured address; null for the process that responds.</param>
/// <param name="State">The <c>status</c> of its readiness, or <see cref="PartState.Unavailable"/>.</param>
/// <param name="Checks">Each of its dependencies: ok or unavailable; null when it does not respond.</param>
internal sealed record ProcessHealth(
    string Name, string? Url, string State, IReadOnlyDictionary<string, string>? Checks);
