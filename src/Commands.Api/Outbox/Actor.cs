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

    public string Name => requests.HttpContext switch
    {
        { } request when request.Items[typeof(Actor)] is string customer => customer,
        { User.Identity: { IsAuthenticated: true, Name: { } key } } => key,
        _ => Process,
    };

    /// <summary>What customers see of the actor in their orders; the names of keys are internal.</summary>
    public string Kind
    {
        get
        {
            if (IsCustomer) return Customer.Kind;
            return Name == Process ? ProcessKind : "staff";
        }
    }

    /// <summary>
    /// The request has verified the password of a customer, who is the actor from now on, also if it has a key.
    /// </summary>
    public void LogIn(int customerId) => requests.HttpContext!.Items[typeof(Actor)] = Customer.NameOf(customerId);

    public bool IsCustomer => requests.HttpContext?.User is { } caller && Customer.IdOf(caller) is not null;
}
