using ApexShop.Access;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// Who causes an event or an operator action: the name of the request's API key, its customer, or this process itself.
/// A key names a client and not a person.
/// </summary>
internal sealed class Actor(IHttpContextAccessor requests)
{
    /// <summary>The name of a process that acts without a request.</summary>
    public const string Process = ApiKey.ProcessName;

    /// <summary>The <see cref="Kind"/> of such a process.</summary>
    public const string ProcessKind = "system";

    public string Name =>
        requests.HttpContext?.User.Identity is { IsAuthenticated: true, Name: { } key } ? key : Process;

    /// <summary>What customers see of the actor in their orders; the names of keys are internal.</summary>
    public string Kind
    {
        get
        {
            if (IsCustomer) return "customer";
            return Name == Process ? ProcessKind : "staff";
        }
    }

    public bool IsCustomer => requests.HttpContext?.User is { } caller && Customer.IdOf(caller) is not null;
}
